package import MPaaSModules
package import MPaaSSupport

/// Names under which a registry gives out files.
package enum TargetNames {
  /// Refuses names that are equal to another only after Unicode normalisation: people and many programs take them for
  /// one, and each would get one of the two files.
  ///
  /// - Parameters:
  ///   - names: Those that are to be given out.
  ///   - known: Those that are given out already; the same name again is fine.
  /// - Throws: `ModuleError` `registry-name-looks-alike`.
  package static func check(_ names: [String], beside known: some Sequence<String>) throws(ModuleError) {
    // Names in ASCII have one form only.
    guard names.contains(where: { !$0.utf8.allSatisfy { $0 < 0x80 } }) else { return }
    // The equality of strings is that of canonically equivalent characters.
    var forms: [String: ExactName] = [:]
    for name in known { forms[name] = ExactName(name) }
    for name in names {
      let exact = ExactName(name)
      if let other = forms.updateValue(exact, forKey: name), other != exact {
        throw ModuleError(
          .nameLooksAlike, ["name": name, "bytes": Self.bytes(name), "other": Self.bytes(other.text)])
      }
    }
  }

  /// The scalars that tell one form from the other.
  private static func bytes(_ name: String) -> String {
    name.unicodeScalars.map { scalar in
      scalar.isASCII ? String(scalar) : "<U+\(String(scalar.value, radix: 16, uppercase: true))>"
    }.joined()
  }
}

extension ModuleError.Code {
  /// Names that are equal only after Unicode normalisation.
  package static var nameLooksAlike: Self { malformed("registry-name-looks-alike") }
}
