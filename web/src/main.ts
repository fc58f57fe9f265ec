import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { applyTheme, loadTheme } from "./lib/theme";

applyTheme(loadTheme());

const target = document.getElementById("app");
if (target === null) throw new Error("index.html has no #app");
mount(App, { target });

// Installable, with a shell that opens while the server is away; browsers offer that on this machine and under https.
if (import.meta.env.PROD && "serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {});
