internal import CSecurity

extension Security {
  /// Tells whether calls of a C or Swift function reach other code than its library's.
  ///
  /// - Parameters:
  ///   - function: The symbol: `SSL_read`, or a mangled name of Swift.
  ///   - expected: The library that it should be of; the first linked one that has it where nil.
  /// - Returns: False also where it is not known; `replacement(of:expected:)` tells these apart.
  public static func isReplaced(function: String, expected: Origin? = nil) -> Bool {
    if case .replaced = replacement(of: function, expected: expected) { true } else { false }
  }

  /// The state of a C or Swift function: the slots that lead to it, its first bytes, and its owner.
  ///
  /// Only functions that an image exports or imports have a name at run time. For others hand over their address.
  public static func replacement(of function: String, expected: Origin? = nil) -> Replacement {
    let library: String? =
      switch expected {
      case .library(let name): name
      case .system(let name): "lib\(name).so"
      case nil: nil
      }
    var state = mp_function()
    let failure = Look.with { look in
      library.map { mp_security_function(look.memory, function, $0, &state) }
        ?? mp_security_function(look.memory, function, nil, &state)
    }
    guard failure == 0 else { return .unknown("the system does not tell: error \(failure)") }
    guard state.is_known else { return .unknown("no image exports or imports \(function)") }
    if let library, state.expected == 0 { return .unknown("\(library) is not linked, or has no \(function)") }
    return replacement(state, name: function)
  }

  /// The state of the code at an address, as that of a function without an exported name.
  public static func replacement(at address: UnsafeRawPointer) -> Replacement {
    var state = mp_function()
    let failure = Look.with { mp_security_code($0.memory, address, &state) }
    guard failure == 0 else { return .unknown("the system does not tell: error \(failure)") }
    return replacement(state, name: nil)
  }

  static func replacement(_ state: mp_function, name: String?) -> Replacement {
    let owner = withUnsafeBytes(of: state.owner_path) { String(nulTerminated: $0) }
    let subject = owner.isEmpty ? nil : owner
    var findings: [Finding] = []
    if state.slot_is_replaced {
      findings.append(
        Finding(
          .replacedSlot, .certain, subject: subject, name: name, address: UInt(state.slot),
          number: UInt(state.address)))
    }
    let address = UInt(state.address)
    switch UInt32(truncatingIfNeeded: state.owner) {
    case MP_OWNER_PRELOADED.rawValue: findings.append(Finding(.preloadedImage, .certain, subject: subject, name: name))
    case MP_OWNER_FOREIGN.rawValue: findings.append(Finding(.foreignImage, .probable, subject: subject, name: name))
    case MP_OWNER_HIDDEN.rawValue: findings.append(Finding(.hiddenImage, .probable, subject: subject, name: name))
    case MP_OWNER_DELETED.rawValue: findings.append(Finding(.deletedImage, .probable, subject: subject, name: name))
    case MP_OWNER_MEMORY_FILE.rawValue: findings.append(Finding(.memoryFile, .probable, subject: subject, name: name))
    case MP_OWNER_ANONYMOUS.rawValue: findings.append(Finding(.anonymousCode, .probable, name: name, address: address))
    default: break
    }
    if state.is_patched {
      findings.append(Finding(.patchedCode, .certain, subject: subject, name: name, address: address))
    }
    if !findings.isEmpty { return .replaced(findings) }
    if state.address == 0 { return .unknown("no call of it was made yet") }
    return state.is_compared ? .none : .unknown("its code cannot be compared with a file")
  }
}
