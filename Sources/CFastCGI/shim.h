#include <fcgiapp.h>
// Not in the Glibc module.
#include <sys/epoll.h>
