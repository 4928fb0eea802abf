// Has the service worker keep the pages that the script's element names, and the person's own one where this browser
// is to have it; lists on the page for times without a network what was kept.
"use strict";

const { keep, own } = document.currentScript.dataset;

if ("serviceWorker" in navigator && !("offline" in document.documentElement.dataset)) {
  navigator.serviceWorker.register("/service-worker.js")
    .then(() => navigator.serviceWorker.ready)
    .then((registration) => registration.active.postMessage({
      keep: keep.split(" ").filter((address) => address), own: own === "yes",
      language: document.documentElement.lang,
    }))
    // A browser that refuses, as in a private window, shows its own page without a network.
    .catch(() => {});
}

const places = document.querySelectorAll("[data-kept]");
if (places.length > 0 && "caches" in window) list(places);

async function list(places) {
  const cache = await caches.open("public");
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (/^\/(?:assets|releases)\//.test(pathname) || pathname === "/offline") continue;
    const page = new DOMParser().parseFromString(await (await cache.match(url)).text(), "text/html");
    const link = document.createElement("a");
    link.href = pathname;
    link.textContent = (page.querySelector("h1") || page.querySelector("title")).textContent.trim();
    const row = document.createElement("li");
    row.append(link);
    places[places.length - 1].append(row);
    for (const place of places) place.hidden = false;
  }
}
