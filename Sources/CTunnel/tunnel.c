#define _GNU_SOURCE
#include "tunnel.h"

#include <errno.h>

#if defined(__linux__)

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <linux/route.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int mpaas_tunnel_open(const char *name) {
  int device = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (device < 0) return -errno;
  struct ifreq request;
  memset(&request, 0, sizeof request);
  request.ifr_flags = (short)(IFF_TUN | IFF_NO_PI | IFF_TUN_EXCL);
  strncpy(request.ifr_name, name, IFNAMSIZ - 1);
  if (ioctl(device, TUNSETIFF, &request) < 0) {
    int error = errno;
    close(device);
    return -error;
  }
  return device;
}

static void set_address(struct sockaddr *into, uint32_t address) {
  struct sockaddr_in value;
  memset(&value, 0, sizeof value);
  value.sin_family = AF_INET;
  value.sin_addr.s_addr = htonl(address);
  memcpy(into, &value, sizeof value);
}

static int bring_up(int control, struct ifreq *request) {
  if (ioctl(control, SIOCGIFFLAGS, request) < 0) return -errno;
  request->ifr_flags |= IFF_UP | IFF_RUNNING;
  return ioctl(control, SIOCSIFFLAGS, request) < 0 ? -errno : 0;
}

static int configure(int control, const char *name, uint32_t address, int prefix, int mtu) {
  struct ifreq request;
  memset(&request, 0, sizeof request);
  strncpy(request.ifr_name, name, IFNAMSIZ - 1);
  set_address(&request.ifr_addr, address);
  if (ioctl(control, SIOCSIFADDR, &request) < 0) return -errno;
  set_address(&request.ifr_netmask, prefix <= 0 ? 0 : 0xffffffffu << (32 - prefix));
  if (ioctl(control, SIOCSIFNETMASK, &request) < 0) return -errno;
  request.ifr_mtu = mtu;
  if (ioctl(control, SIOCSIFMTU, &request) < 0) return -errno;
  // Packets wait here while we are busy with others: a second's worth of a fast link is not lost to it.
  request.ifr_qlen = 1000;
  ioctl(control, SIOCSIFTXQLEN, &request);
  return bring_up(control, &request);
}

int mpaas_tunnel_configure(const char *name, uint32_t address, int prefix, int mtu) {
  int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (control < 0) return -errno;
  int result = configure(control, name, address, prefix, mtu);
  close(control);
  return result;
}

int mpaas_tunnel_route(uint32_t gateway) {
  int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (control < 0) return -errno;
  struct rtentry route;
  memset(&route, 0, sizeof route);
  set_address(&route.rt_dst, 0);
  set_address(&route.rt_genmask, 0);
  set_address(&route.rt_gateway, gateway);
  route.rt_flags = RTF_UP | RTF_GATEWAY;
  int result = ioctl(control, SIOCADDRT, &route) < 0 ? -errno : 0;
  close(control);
  return result;
}

int mpaas_tunnel_enter_new_namespace(void) {
  if (unshare(CLONE_NEWNET) < 0) return -errno;
  int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (control < 0) return -errno;
  struct ifreq request;
  memset(&request, 0, sizeof request);
  strncpy(request.ifr_name, "lo", IFNAMSIZ - 1);
  int result = bring_up(control, &request);
  close(control);
  return result;
}

void mpaas_tunnel_exact_timers(void) { prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0); }

int mpaas_tunnel_wait(const int *descriptors, int count, int64_t nanoseconds) {
  struct pollfd waited[8];
  if (count > 8) return -EINVAL;
  for (int index = 0; index < count; index++) {
    waited[index].fd = descriptors[index];
    waited[index].events = POLLIN;
    waited[index].revents = 0;
  }
  struct timespec limit = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  int ready = ppoll(waited, count, nanoseconds < 0 ? NULL : &limit, NULL);
  if (ready < 0) return -errno;
  int answer = 0;
  for (int index = 0; index < count; index++)
    if (waited[index].revents) answer |= 1 << index;
  return answer;
}

#else

int mpaas_tunnel_open(const char *name) {
  (void)name;
  return -ENOSYS;
}

int mpaas_tunnel_configure(const char *name, uint32_t address, int prefix, int mtu) {
  (void)name, (void)address, (void)prefix, (void)mtu;
  return -ENOSYS;
}

int mpaas_tunnel_route(uint32_t gateway) {
  (void)gateway;
  return -ENOSYS;
}

int mpaas_tunnel_enter_new_namespace(void) { return -ENOSYS; }

void mpaas_tunnel_exact_timers(void) {}

int mpaas_tunnel_wait(const int *descriptors, int count, int64_t nanoseconds) {
  (void)descriptors, (void)count, (void)nanoseconds;
  return -ENOSYS;
}

#endif
