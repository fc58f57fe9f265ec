// The screens that the page is made for.

export const SIZES = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  "phone on its side": { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  tablet: { viewport: { width: 820, height: 1180 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1366, height: 768 } },
};

/** Pixels by which the page is wider than the screen. */
export const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Pixels by which it is longer than the screen. */
export const excess = (page) => page.evaluate(() => document.documentElement.scrollHeight - document.documentElement.clientHeight);

/** Does the same on every screen, each a browser of its own, and looks that nothing is wider than the screen. */
export async function everySize(open, visit) {
  for (const [size, options] of Object.entries(SIZES)) {
    const one = await open(options);
    await visit({ ...one, size, options });
    const wide = await overflow(one.page);
    if (wide > 0) throw new Error(`${wide} pixels too wide on a ${size}`);
    one.check();
    await one.context.close();
  }
}
