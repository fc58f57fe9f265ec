// Every text of the page by its key, in the language of the reader. English is the reference: what a translation
// leaves out is shown in English. A further language is one file in `src/texts`, named by its code.

import en from "../texts/en.json";

/** The code of a language, such as `de`. */
export type Language = string;

/** A text, or one for each plural form of `n`. */
type Text = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>);
interface Section {
  [key: string]: Text | Section;
}

/** Catalogues by language, from files by path; English first. */
export function cataloguesOf(files: Record<string, object>): Map<Language, Section> {
  const byCode = Object.entries(files).map(([path, texts]) => [path.replace(/^.*\/|\.json$/g, ""), texts as Section] as const);
  return new Map([["en", en as Section], ...byCode.filter(([code]) => code !== "en")]);
}

const CATALOGUES = cataloguesOf(import.meta.glob<object>("../texts/*.json", { eager: true, import: "default" }));
export const LANGUAGES: Language[] = [...CATALOGUES.keys()];

/** What speakers of a language call it. */
export function nameOf(code: Language): string {
  const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

/** `area.key`, as deep as the catalogue goes; plural forms are one text. */
type Keys<T> = { [K in keyof T & string]: T[K] extends Text ? K : `${K}.${Keys<T[K]>}` }[keyof T & string];
export type TextKey = Keys<typeof en>;

export type Values = Record<string, string | number>;

const KEY = "hegemon.language";

export function preferredLanguage(stored: string | null, wanted: readonly string[]): Language {
  const codes = [stored ?? "", ...wanted].map((code) => code.slice(0, 2));
  for (const code of codes) {
    const known = LANGUAGES.find((language) => language === code);
    if (known !== undefined) return known;
  }
  return "en";
}

const inBrowser = typeof document !== "undefined";
export const language: Language = inBrowser ? preferredLanguage(localStorage.getItem(KEY), navigator.languages) : "en";
if (inBrowser) document.documentElement.lang = language;

/** Texts are read once, so another language starts the page anew. */
export function chooseLanguage(wanted: Language): void {
  localStorage.setItem(KEY, wanted);
  location.reload();
}

function find(catalogue: Section, key: string): Text | undefined {
  let found: Text | Section | undefined = catalogue;
  for (const part of key.split(".")) {
    if (found === undefined || typeof found === "string") return undefined;
    found = (found as Section)[part];
  }
  return found as Text | undefined;
}

export function textIn(wanted: Language, key: TextKey, values: Values = {}): string {
  const text = find(CATALOGUES.get(wanted) ?? {}, key) ?? find(en as Section, key) ?? key;
  const form = typeof text === "string" ? text : pluralForm(wanted, text, Number(values["n"] ?? 0));
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

function pluralForm(wanted: Language, text: Exclude<Text, string>, n: number): string {
  return text[new Intl.PluralRules(wanted).select(n)] ?? text.other;
}

/** The text of `key` with its `{names}` filled in; `n` chooses the plural form. */
export const t = (key: TextKey, values: Values = {}): string => textIn(language, key, values);
