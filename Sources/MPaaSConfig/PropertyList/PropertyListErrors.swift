package import MPaaSSupport

extension ConfigError.Code {
  /// Not XML: binary, old-style, or no property list at all.
  package static var plistFormat: Self { malformed("plist-format") }
  /// The bytes are no text in the encoding that the file is in.
  package static var plistEncoding: Self { malformed("plist-encoding") }
  /// A character that XML does not allow.
  package static var plistCharacter: Self { malformed("plist-character") }
  /// A tag, a comment, a declaration or a reference that is not XML.
  package static var plistMarkup: Self { malformed("plist-markup") }
  package static var plistReference: Self { malformed("plist-reference") }
  package static var plistElement: Self { malformed("plist-element") }
  package static var plistUnclosed: Self { malformed("plist-unclosed") }
  package static var plistClosing: Self { malformed("plist-closing") }
  package static var plistText: Self { malformed("plist-text") }
  package static var plistKeyMissing: Self { malformed("plist-key-missing") }
  package static var plistValueMissing: Self { malformed("plist-value-missing") }
  package static var plistValue: Self { malformed("plist-value") }
  package static var plistTooDeep: Self { malformed("plist-too-deep") }
  package static var plistEmpty: Self { malformed("plist-empty") }
  package static var plistSecondValue: Self { malformed("plist-second-value") }
  /// An edit of what is not there, or of what is no container.
  package static var plistPath: Self { malformed("plist-path") }
  /// An edit whose result, read again, is not what it was meant to be.
  package static var plistEdit: Self { ConfigError.Code("plist-edit", exit: .internalFault) }
}
