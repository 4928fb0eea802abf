// Keeps pages that everybody may read, for reading without a network: as the portal sends them to somebody
// who has not signed in. Nothing that a person gets after signing in is ever kept.
"use strict";

const NAME = "public";
const OFFLINE = "/offline";

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("message", (event) => {
  const { keep, language } = event.data;
  event.waitUntil(keepAll([OFFLINE, ...keep], language));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => kept(address.pathname)));
  } else if (address.pathname.startsWith("/assets/")) {
    event.respondWith(fetch(request).catch(() => keptFile(request)));
  }
});

async function keepAll(addresses, language) {
  const cache = await caches.open(NAME);
  for (const address of addresses) {
    // Without a network what was kept stays.
    await keepPage(cache, address, language).catch(() => {});
  }
  await forgetUnused(cache);
}

/** Keeps a page under its path alone: of several countries, the one that was seen last. */
async function keepPage(cache, address, language) {
  const answer = await fetch(address, {
    credentials: "omit", cache: "no-store", headers: { "Accept-Language": language },
  });
  const isPage = answer.ok && (answer.headers.get("Content-Type") || "").startsWith("text/html");
  // A page that wants a sign-in leads there instead.
  if (!isPage || answer.redirected) return;
  for (const file of files(await answer.clone().text())) {
    if (!(await cache.match(file))) await cache.add(file);
  }
  await cache.put(new URL(address, location.origin).pathname, answer);
}

/** The styles, scripts and pictures of a page. */
function files(page) {
  return new Set([...page.matchAll(/(?:src|href)="(\/assets\/[^"#]+)/g)].map((match) => match[1]));
}

/** Deletes the files of pages that are kept no more in that form. */
async function forgetUnused(cache) {
  const kept = await cache.keys();
  const isFile = ({ url }) => new URL(url).pathname.startsWith("/assets/");
  const used = new Set();
  for (const page of kept.filter((request) => !isFile(request))) {
    for (const file of files(await (await cache.match(page)).text())) used.add(file);
  }
  for (const file of kept.filter(isFile)) {
    if (!used.has(new URL(file.url).pathname)) await cache.delete(file);
  }
}

/** The kept copy, which says that it is one, or the page that names what there is. */
async function kept(path) {
  const cache = await caches.open(NAME);
  const page = (await cache.match(path)) || (await cache.match(OFFLINE));
  if (!page) return Response.error();
  const text = (await page.text()).replace("<html ", "<html data-offline ");
  const headers = {};
  for (const name of ["Content-Type", "Content-Security-Policy"]) {
    if (page.headers.has(name)) headers[name] = page.headers.get(name);
  }
  return new Response(text, { headers });
}

async function keptFile(request) {
  const cache = await caches.open(NAME);
  return (await cache.match(request, { ignoreVary: true })) || Response.error();
}
