#if canImport(ObjectiveC)
  internal import CSecurity
  import Darwin
  public import ObjectiveC

  extension Security {
    /// Tells whether a method of a class, or of its instances, is implemented elsewhere than it should be.
    ///
    /// - Parameters:
    ///   - class: The class by name.
    ///   - selector: The selector.
    ///   - expected: The framework whose class it is, as `.system("UIKit")`; the image of the class where nil.
    /// - Returns: False also where it is not known; `replacement(class:selector:expected:)` tells these apart.
    public static func isReplaced(class name: String, selector: Selector, expected: Origin? = nil) -> Bool {
      if case .replaced = replacement(class: name, selector: selector, expected: expected) { true } else { false }
    }

    /// The state of a method: the image of its implementation, and its first bytes.
    public static func replacement(
      class name: String, selector: Selector, expected: Origin? = nil
    ) -> Replacement {
      guard let type = objc_getClass(name) as? AnyClass else { return .unknown("there is no class \(name)") }
      let methods = [class_getInstanceMethod(type, selector), class_getClassMethod(type, selector)].compactMap { $0 }
      guard !methods.isEmpty else { return .unknown("\(name) has no such method") }
      guard let image = class_getImageName(type).map({ String(cString: $0) }) else {
        return .unknown("\(name) was made at run time")
      }
      var findings: [Finding] = []
      for method in methods {
        let code = UnsafeRawPointer(method_getImplementation(method))
        findings += Self.findings(code, of: "\(name) \(selector)", image: image, expected: expected)
      }
      return findings.isEmpty ? .none : .replaced(findings)
    }

    private static func findings(
      _ code: UnsafeRawPointer, of name: String, image: String, expected: Origin?
    ) -> [Finding] {
      var info = Dl_info()
      let owner = dladdr(code, &info) == 0 ? nil : info.dli_fname.map { String(cString: $0) }
      let address = UInt(bitPattern: code)
      guard let owner, isExpected(owner, image: image, expected) else {
        return [Finding(.replacedMethod, .probable, subject: owner, name: name, address: address)]
      }
      var state = mp_function()
      let failure = Look.with { mp_security_code($0.memory, code, &state) }
      if failure == 0, state.is_patched || isJump(code) {
        let confidence: Finding.Confidence = state.is_patched ? .certain : .probable
        return [Finding(.patchedCode, confidence, subject: owner, name: name, address: address)]
      }
      return []
    }

    private static func isExpected(_ owner: String, image: String, _ expected: Origin?) -> Bool {
      switch expected {
      case nil: owner == image
      case .library(let library): owner == library || owner.hasSuffix("/" + library)
      // The Swift half of a framework is a library of its own: UIKitCore for UIKit.
      case .system(let framework):
        owner.split(separator: "/").contains { $0 == "\(framework).framework" || $0 == "\(framework)Core.framework" }
      }
    }

    /// Tells whether code begins with the jump of a hook: `LDR X16, #8` or `LDR X17, #8` and `BR`, or `JMP` by memory.
    private static func isJump(_ code: UnsafeRawPointer) -> Bool {
      #if arch(arm64)
        let first = code.loadUnaligned(as: UInt32.self), second = code.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        let loads: Set<UInt32> = [0x5800_0050, 0x5800_0051], jumps: Set<UInt32> = [0xd61f_0200, 0xd61f_0220]
        return loads.contains(first) && jumps.contains(second)
      #else
        let first = code.loadUnaligned(as: UInt16.self)
        return first == 0x25ff
      #endif
    }
  }
#endif
