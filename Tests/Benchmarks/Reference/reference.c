// The threads, and which page is meant. See reference.h.
#define _GNU_SOURCE
#include "reference.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char *database_path;
static const char host[] = "localhost:8443";

void refuse(Thread *thread, const char *status) {
    thread->out.count = 0;
    add(&thread->out, "Status: ", 8);
    add(&thread->out, status, strlen(status));
    add(&thread->out, "\r\nCache-Control: no-store\r\n\r\n", 29);
}

// The pages of one person, all that is read in one transaction.
static void show_own(Thread *thread, FCGX_Request *request, const char *target) {
    const char *rest = target + strlen("/contacts"), *certificate = target + strlen("/vaccination-qr/");
    Session session;
    Store *store = &thread->store;
    run(store->begin);
    int is_signed_in = find_session(store, request, &session);
    if (!is_signed_in) refuse(thread, "303 See Other\r\nLocation: /login");
    else if (!strcmp(target, "/covid-stats")) show_country(thread, &session);
    else if (!strcmp(target, "/covid-stats/countries")) show_countries(thread, &session);
    else if (!strncmp(target, "/vaccination-qr/", certificate - target))
        show_certificate(thread, &session, atoll(certificate));
    else if (*rest == 0) show_list(thread, &session);
    else if (!strncmp(rest, "?", 1)) show_found(thread, &session, rest + 1);
    else if (rest[0] == '/' && strspn(rest + 1, "0123456789") == strlen(rest + 1))
        show_contact(thread, &session, atoll(rest + 1));
    else refuse(thread, "404 Not Found");
    run(store->commit);
    if (is_signed_in) touch(store, &session);
}

static void change(Thread *thread, FCGX_Request *request, const char *target) {
    Session session;
    int is_contact = !strcmp(target, "/contacts/new");
    if (!is_contact && strcmp(target, "/appointments/book"))
        return refuse(thread, "405 Method Not Allowed");
    if (!find_session(&thread->store, request, &session)) return refuse(thread, "401 Unauthorized");
    touch(&thread->store, &session);
    if (is_contact) save(thread, request, &session);
    else book(thread, request, &session);
}

static void answer(Thread *thread, FCGX_Request *request) {
    const char *target = FCGX_GetParam("REQUEST_URI", request->envp);
    const char *method = FCGX_GetParam("REQUEST_METHOD", request->envp);
    const char *asked = FCGX_GetParam("HTTP_HOST", request->envp);
    thread->out.count = 0;
    if (!target || !method) refuse(thread, "400 Bad Request");
    else if (!asked || strcmp(asked, host)) refuse(thread, "421 Misdirected Request");
    else if (!strcmp(method, "POST")) change(thread, request, target);
    else if (strcmp(method, "GET")) refuse(thread, "405 Method Not Allowed");
    else if (!strcmp(target, "/robots.txt")) show_fixed(thread);
    else if (!strcmp(target, "/")) show_home(thread);
    else if (!strncmp(target, "/contacts", 9) || !strncmp(target, "/covid-stats", 12)
             || !strncmp(target, "/vaccination-qr/", 16))
        show_own(thread, request, target);
    else refuse(thread, "404 Not Found");
}

static void *serve(void *unused) {
    (void)unused;
    Thread *thread = calloc(1, sizeof *thread);
    if (!thread) die("out of memory");
    open_store(&thread->store, database_path);
    FCGX_Request request;
    FCGX_InitRequest(&request, 0, 0);
    while (FCGX_Accept_r(&request) == 0) {
        answer(thread, &request);
        FCGX_PutStr(thread->out.bytes, thread->out.count, request.out);
        FCGX_Finish_r(&request);
    }
    return NULL;
}

int main(int count, char **arguments) {
    if (count != 4) die("usage: reference DATABASE PAGES THREADS");
    database_path = arguments[1];
    load_pages(arguments[2]);
    load_countries(arguments[2]);
    load_certificates(arguments[2]);
    load_answers(arguments[2]);
    load_bookings(arguments[2]);
    make_keys();
    FCGX_Init();
    pthread_t thread;
    for (int i = 1; i < atoi(arguments[3]); i++) pthread_create(&thread, NULL, serve, NULL);
    serve(NULL);
    return 0;
}
