import CTunnel

/// The TUN devices and network namespaces of Linux, for the thread that calls.
package enum TunnelDevice {
  /// Puts the calling thread into a new network namespace, its loopback up.
  ///
  /// - Throws: `net-namespace-refused` where the rights are missing, or where there are no namespaces.
  package static func enterNewNamespace() throws(NetworkError) {
    try checked("unshare(CLONE_NEWNET)", mpaas_tunnel_enter_new_namespace())
  }

  /// Makes a device in the namespace of the calling thread; it goes with its descriptor, which the caller closes.
  package static func open(_ name: String) throws(NetworkError) -> Int32 {
    try checked("/dev/net/tun", mpaas_tunnel_open(name))
  }

  /// Gives a device an address (host byte order) and brings it up.
  package static func configure(_ name: String, _ address: UInt32) throws(NetworkError) {
    let (prefix, mtu) = (Int32(TunnelAddresses.prefix), Int32(TunnelAddresses.mtu))
    try checked(name, mpaas_tunnel_configure(name, address, prefix, mtu))
  }

  /// Sends what has no other way through `gateway`.
  package static func route(through gateway: UInt32) throws(NetworkError) {
    try checked("route", mpaas_tunnel_route(gateway))
  }

  /// The answer of a C function, or its error.
  @discardableResult
  private static func checked(_ step: String, _ answer: Int32) throws(NetworkError) -> Int32 {
    guard answer >= 0 else { throw .tunnel(step, errno: answer) }
    return answer
  }
}
