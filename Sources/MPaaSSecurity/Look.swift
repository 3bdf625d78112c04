internal import CSecurity

/// Memory for one look at the process; the C core allocates nothing.
package struct Look {
  let memory: UnsafeMutableRawPointer

  /// Hands out a look that is valid during the call.
  package static func with<Value>(_ body: (Look) -> Value) -> Value {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: mp_security_size(), alignment: 16)
    defer { memory.deallocate() }
    return body(Look(memory: memory))
  }

  private static let capacity = 96

  func findings(_ checks: Security.Checks) -> [Finding] {
    withUnsafeTemporaryAllocation(of: mp_finding.self, capacity: Self.capacity) { items in
      var found = mp_findings(items: items.baseAddress, capacity: Self.capacity, count: 0, is_truncated: false)
      guard mp_security_check(memory, checks.rawValue, &found) == 0 || found.count > 0 else { return [] }
      return (0..<min(found.count, Self.capacity)).compactMap { Finding(items[$0]) }
    }
  }
}

extension Finding {
  /// The finding of the C core; nil for a kind that this version does not know.
  init?(_ found: mp_finding) {
    guard let kind = Kind(Int(found.kind)) else { return nil }
    let subject = withUnsafeBytes(of: found.text) { String(nulTerminated: $0) }
    let name = withUnsafeBytes(of: found.name) { String(nulTerminated: $0) }
    let confidence: Confidence =
      switch UInt32(truncatingIfNeeded: found.confidence) {
      case MP_CERTAIN.rawValue: .certain
      case MP_PROBABLE.rawValue: .probable
      default: .possible
      }
    let hasNumber = found.value != 0 || kind == .debugger
    self.init(
      kind, confidence, subject: subject.isEmpty ? nil : subject, name: name.isEmpty ? nil : name,
      address: found.address == 0 ? nil : UInt(found.address), number: hasNumber ? UInt(found.value) : nil)
  }
}

extension Finding.Kind {
  init?(_ number: Int) {
    switch UInt32(truncatingIfNeeded: number) {
    case MP_FOUND_DEBUGGER.rawValue: self = .debugger
    case MP_FOUND_PRELOAD_VARIABLE.rawValue: self = .preloadVariable
    case MP_FOUND_PRELOADED_IMAGE.rawValue: self = .preloadedImage
    case MP_FOUND_FOREIGN_IMAGE.rawValue: self = .foreignImage
    case MP_FOUND_HIDDEN_IMAGE.rawValue: self = .hiddenImage
    case MP_FOUND_DELETED_IMAGE.rawValue: self = .deletedImage
    case MP_FOUND_MEMORY_FILE.rawValue: self = .memoryFile
    case MP_FOUND_ANONYMOUS_CODE.rawValue: self = .anonymousCode
    case MP_FOUND_WRITABLE_CODE.rawValue: self = .writableCode
    case MP_FOUND_REPLACED_SLOT.rawValue: self = .replacedSlot
    case MP_FOUND_PATCHED_CODE.rawValue: self = .patchedCode
    case MP_FOUND_FRIDA.rawValue: self = .frida
    default: return nil
    }
  }
}

extension String {
  init(nulTerminated bytes: UnsafeRawBufferPointer) {
    self = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
