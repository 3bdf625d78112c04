/// The environment variables that have programs use a proxy.
///
/// Programs agree on little: curl reads `http_proxy` in lower case only, others the upper case only, so both are set.
/// All lead to the proxy by HTTP, which every program speaks that reads them; a SOCKS address in `ALL_PROXY` makes some
/// fail that lack a library for it.
package enum ProxyVariables {
  /// Variables with the address of a proxy; each in lower and upper case.
  static let addressed = ["http_proxy", "https_proxy", "all_proxy", "ftp_proxy", "ws_proxy", "wss_proxy", "grpc_proxy"]

  /// The environment of a child whose connections are to go through a proxy.
  ///
  /// - Parameters:
  ///   - proxy: `host:port`.
  ///   - bypass: Names and addresses that are reached directly; what the environment said of that is dropped, since
  ///     it would leave out what is to be covered.
  package static func environment(
    _ environment: [String: String], through proxy: String, bypass: [String]
  ) -> [String: String] {
    var result = environment
    for name in addressed {
      result[name] = "http://\(proxy)"
      result[name.uppercased()] = "http://\(proxy)"
    }
    result["RSYNC_PROXY"] = proxy
    // Node.js reads the variables only where it is told to.
    result["NODE_USE_ENV_PROXY"] = "1"
    // This machine's servers, as in a namespace of its own.
    result["MPAAS_NET_HOST"] = "127.0.0.1"
    for name in ["no_proxy", "NO_PROXY"] {
      result[name] = bypass.isEmpty ? nil : bypass.joined(separator: ",")
    }
    return result
  }

  /// A proxy that the environment named before, and that is not used any more.
  package static func replaced(in environment: [String: String]) -> String? {
    for name in addressed {
      for form in [name, name.uppercased()] {
        if let value = environment[form], !value.isEmpty { return value }
      }
    }
    return nil
  }
}
