#include <fcgiapp.h>
// Not in the Glibc module.
#include <malloc.h>
#include <sys/epoll.h>
// <sys/socket.h> has it only with _GNU_SOURCE.
struct sockaddr;
int accept4(int socket, struct sockaddr *address, unsigned *length, int flags);
