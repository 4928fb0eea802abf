#include <fcgiapp.h>
// Not in the Glibc module.
#include <malloc.h>
#include <sys/epoll.h>
