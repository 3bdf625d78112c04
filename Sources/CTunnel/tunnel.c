#include "tunnel.h"

#include <errno.h>

#if defined(__linux__)

#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int mpaas_tunnel_open(const char *name) {
  int device = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
  if (device < 0) return -errno;
  struct ifreq request;
  memset(&request, 0, sizeof request);
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  strncpy(request.ifr_name, name, IFNAMSIZ - 1);
  if (ioctl(device, TUNSETIFF, &request) < 0) {
    int error = errno;
    close(device);
    return -error;
  }
  return device;
}

#else

int mpaas_tunnel_open(const char *name) {
  (void)name;
  return -ENOSYS;
}

#endif
