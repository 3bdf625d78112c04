/// The kernel's messages of changes to links, addresses and routes.
#ifndef MP_ROUTE_H
#define MP_ROUTE_H

#ifdef __cplusplus
extern "C" {
#endif

/// A descriptor that can be read from after each change, without waiting; -1 where the kernel gives none.
int mp_route_socket(void);

#ifdef __cplusplus
}
#endif
#endif
