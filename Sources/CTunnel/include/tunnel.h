#ifndef MPAAS_TUNNEL_H
#define MPAAS_TUNNEL_H

/// Opens a TUN device in the network namespace of the calling thread; `name` is the name wanted.
/// Answers the descriptor, or the negated errno.
int mpaas_tunnel_open(const char *name);

#endif
