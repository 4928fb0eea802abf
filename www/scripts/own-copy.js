// Shows whether this browser can keep a copy of the person's own page, and whether it has kept one just now.
"use strict";

const canKeep = "serviceWorker" in navigator && "indexedDB" in window && "subtle" in (window.crypto || {});

function show(name) {
  for (const place of document.querySelectorAll(`[data-own-copy="${name}"]`)) place.hidden = false;
}

if (canKeep) {
  show("possible");
  navigator.serviceWorker.addEventListener("message", ({ data }) => show(data.isKept ? "kept" : "failed"));
} else {
  show("failed");
}
