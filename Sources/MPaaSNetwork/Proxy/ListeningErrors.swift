import MPaaSSupport
import NIOCore
import NIOPosix

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension NetworkError {
  /// The reason why a proxy cannot listen on `address`.
  package init(listeningOn address: String, failed error: any Error) {
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE: self.init(.addressInUse, ["address": address])
    case EADDRNOTAVAIL: self.init(.addressElsewhere, ["address": address])
    case EACCES, EPERM: self.init(.addressRefused, ["address": address])
    case EMFILE, ENFILE: self.init(.descriptorsExhausted, ["address": address])
    default: self.init(.listenFailed, ["address": address, "reason": error.reason])
    }
  }
}

extension Error {
  /// The system's words for it.
  package var reason: String {
    switch self as any Error {
    case let error as IOError: String(cString: strerror(error.errnoCode))
    case let error as NIOConnectionError:
      error.connectionErrors.first?.error.reason ?? "the host has no address"
    case ChannelError.connectTimeout: "the connection timed out"
    default: String(describing: self)
    }
  }

  /// True where the other side refused the connection.
  var isRefusal: Bool {
    let first = (self as? NIOConnectionError)?.connectionErrors.first?.error ?? self
    return (first as? IOError)?.errnoCode == ECONNREFUSED
  }

  /// True where no descriptor is left.
  package var isExhaustion: Bool { [EMFILE, ENFILE].contains((self as? IOError)?.errnoCode) }
}
