import CHotpatchClient
import MPaaSLock
import MPaaSVerification

extension HotpatchClient {
  /// The client that `hotpatch_client_start` made.
  static let ofProgram = Lock<HotpatchClient?>(nil)
}

extension HotpatchClient.Configuration {
  /// Reads what a program in C says.
  ///
  /// - Throws: `TrustError` of keys and identities that cannot be read.
  init(_ given: hotpatch_configuration) throws(TrustError) {
    let device = DeviceFacts(
      id: Self.text(given.device), app: Self.text(given.app), appVersion: Self.text(given.app_version))
    var keys: [VerificationKey] = []
    for key in Self.texts(given.keys) { keys.append(try VerificationKey(pem: key)) }
    var identities: [AgeIdentity] = []
    for identity in Self.texts(given.identities) { identities.append(try AgeIdentity(identity)) }
    self.init(
      folder: Self.text(given.folder), device: device,
      root: Array(UnsafeRawBufferPointer(start: given.root, count: given.root == nil ? 0 : given.root_size)),
      mirrors: Self.texts(given.mirrors), keys: keys, identities: identities)
  }

  private static func text(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }

  private static func texts(_ list: UnsafePointer<UnsafePointer<CChar>?>?) -> [String] {
    var texts: [String] = []
    var next = list
    while let place = next, let text = place.pointee {
      texts.append(String(cString: text))
      next = place + 1
    }
    return texts
  }
}

@_cdecl("hotpatch_client_start")
func startHotpatchClient(
  _ configuration: UnsafePointer<hotpatch_configuration>, _ error: UnsafeMutablePointer<CChar>?, _ size: Int
) -> CInt {
  do {
    let client = try HotpatchClient(try HotpatchClient.Configuration(configuration.pointee))
    HotpatchClient.ofProgram.withLock { $0 = client }
    client.runStored()
    return 0
  } catch let problem {
    if let error, size > 0 {
      let text = Array("\(problem)".utf8CString.dropLast().prefix(size - 1)) + [0]
      error.update(from: text, count: text.count)
    }
    return -1
  }
}

@_cdecl("hotpatch_client_follow")
func followHotpatches() {
  guard let client = HotpatchClient.ofProgram.withLock({ $0 }) else { return }
  Task { await client.start() }
}

@_cdecl("hotpatch_client_enter_foreground")
func enterForegroundWithHotpatches() {
  guard let client = HotpatchClient.ofProgram.withLock({ $0 }) else { return }
  Task { await client.enterForeground() }
}

@_cdecl("hotpatch_client_confirm_healthy")
func confirmHealthyHotpatches() {
  HotpatchClient.ofProgram.withLock { $0 }?.confirmHealthy()
}
