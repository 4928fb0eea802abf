// Keeps pages for reading without a network: those that everybody may read, as the portal sends them to somebody who
// has not signed in, and, where a person has asked for it in this browser, one page of their own. That one is encrypted
// under a key that no script can read out, and is gone with the key.
"use strict";

const NAME = "public";
const OFFLINE = "/offline";
const OWN = "/account/offline";
const LIFETIME = 14 * 24 * 60 * 60 * 1000;

// A release that the portal was rolled back to has addresses of its own for its files.
const FILE = /^\/(?:assets|releases)\//;

let formsSent = 0;
// Pages are kept one after the other, so that the one that was seen last stays.
let keeping = Promise.resolve();

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("message", (event) => {
  const { keep, language, own } = event.data;
  if (keep.length > 0) {
    keeping = keeping.then(() => keepAll([OFFLINE, ...keep], language)).catch(() => {});
    event.waitUntil(keeping);
  }
  if (own) {
    event.waitUntil(renewOwn().then((isKept) => event.source && event.source.postMessage({ isKept })));
  }
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (address.origin !== location.origin) return;
  if (request.method !== "GET") {
    formsSent += 1;
    return;
  }
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => kept(address.pathname)));
  } else if (FILE.test(address.pathname)) {
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
    credentials: "omit", cache: "no-store", headers: { "Accept-Language": language, "X-Offline-Copy": "yes" },
  });
  const isPage = answer.ok && (answer.headers.get("Content-Type") || "").startsWith("text/html");
  // A page that wants a sign-in leads there instead.
  if (!isPage || answer.redirected) return;
  await keepFiles(cache, files(await answer.clone().text()));
  await cache.put(new URL(address, location.origin).pathname, answer);
}

/** The styles, scripts and pictures of a page. */
function files(page) {
  const names = [...page.matchAll(/(?:src|href)="(\/[^"#]+)/g)].map((match) => match[1]);
  return new Set(names.filter((name) => FILE.test(name)));
}

async function keepFiles(cache, addresses) {
  for (const file of addresses) {
    if (!(await cache.match(file))) await cache.add(file);
  }
}

/** Deletes the files of pages that are kept no more in that form. */
async function forgetUnused(cache) {
  const kept = await cache.keys();
  const isFile = ({ url }) => FILE.test(new URL(url).pathname);
  const own = await ownCopy();
  const used = new Set(own ? own.files : []);
  for (const page of kept.filter((request) => !isFile(request))) {
    for (const file of files(await (await cache.match(page)).text())) used.add(file);
  }
  for (const file of kept.filter(isFile)) {
    if (!used.has(new URL(file.url).pathname)) await cache.delete(file);
  }
}

/** The kept copy, which says that it is one, or the page that names what there is. */
async function kept(path) {
  // A browser whose store is broken still shows the pages of everybody.
  const own = await ownCopy().catch(() => undefined);
  if (own && path === OWN) return shown(await opened(own), own.headers, "data-offline");
  const cache = await caches.open(NAME);
  const page = (await cache.match(path)) || (await cache.match(OFFLINE));
  if (!page) return Response.error();
  return shown(await page.text(), headers(page), own ? "data-offline data-own-kept" : "data-offline");
}

function shown(page, headers, marks) {
  return new Response(page.replace("<html ", `<html ${marks} `), { headers });
}

/** The fields of an answer that its copy needs. */
function headers(answer) {
  const headers = {};
  for (const name of ["Content-Type", "Content-Security-Policy"]) {
    if (answer.headers.has(name)) headers[name] = answer.headers.get(name);
  }
  return headers;
}

async function keptFile(request) {
  const cache = await caches.open(NAME);
  return (await cache.match(request, { ignoreVary: true })) || Response.error();
}

// The person's own page

/** Fetches the person's own page anew. True if it is kept; what was kept stays where the portal cannot be reached. */
async function renewOwn() {
  const before = formsSent;
  let answer;
  try {
    answer = await fetch(`${OWN}/copy`, { cache: "no-store" });
  } catch {
    return (await ownCopy()) !== undefined;
  }
  if (answer.status >= 500 || answer.status === 429) return (await ownCopy()) !== undefined;
  // Nobody has signed in, or this browser is to keep nothing for who has.
  if (!answer.ok) return forgetOwn();
  const page = await answer.text();
  const used = files(page);
  await keepFiles(await caches.open(NAME), used);
  const sealed = await sealedOwn(page);
  // The form may have signed somebody out.
  if (formsSent !== before) return false;
  await changeOwn((store) => store.put({ ...sealed, files: used, headers: headers(answer) }, OWN));
  return true;
}

async function sealedOwn(page) {
  const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, new TextEncoder().encode(page));
  return { key, iv, sealed, since: Date.now() };
}

async function opened({ key, iv, sealed }) {
  return new TextDecoder().decode(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, sealed));
}

/** The person's own page as it is stored; undefined where there is none, and where its time is over. */
async function ownCopy() {
  const own = await changeOwn((store) => store.get(OWN));
  if (!own) return undefined;
  const age = Date.now() - own.since;
  // A clock that was set back does not make it last.
  if (age >= 0 && age < LIFETIME) return own;
  await forgetOwn();
  return undefined;
}

/** Runs one request against the store, and returns its result when it is durable. */
async function changeOwn(request) {
  const database = await new Promise((resolve, reject) => {
    const opening = indexedDB.open("own", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("pages");
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction("pages", "readwrite");
      const asked = request(transaction.objectStore("pages"));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

async function forgetOwn() {
  await new Promise((resolve, reject) => {
    const deletion = indexedDB.deleteDatabase("own");
    deletion.onsuccess = resolve;
    deletion.onerror = () => reject(deletion.error);
  });
  return false;
}
