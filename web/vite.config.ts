import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const SERVER = "http://127.0.0.1:4272";

// Built files are committed and embedded in the program, so their names are fixed: no hashes.
export default defineConfig({
  base: "./",
  plugins: [svelte()],
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: "assets/[name].js",
        chunkFileNames: "assets/[name].js",
        assetFileNames: "assets/[name][extname]",
      },
    },
  },
  // The server trusts no page but its own, so the page of the development server passes for it.
  server: { proxy: { "/api": { target: SERVER, ws: true, changeOrigin: true, headers: { origin: SERVER } } } },
  test: { include: ["src/**/*.test.ts"], environment: "node" },
});
