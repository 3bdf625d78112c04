import MPaaSSupport

extension TunnelDevice {
  /// The reason why there can be no namespace with a tunnel here; nil where there can.
  package static func obstacle() async -> NetworkError? {
    do throws(NetworkError) {
      let thread = try SerialThread()
      // The namespace and the device go with the thread.
      try await thread.attempt { () throws(NetworkError) in
        try enterNewNamespace()
        _ = OpenFile(descriptor: try open(TunnelAddresses.innerDevice), path: TunnelAddresses.innerDevice)
      }
      return nil
    } catch {
      return error
    }
  }
}
