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
  /// The end of a binary property list, which says where its objects are, cannot be true.
  package static var plistBinaryTrailer: Self { malformed("plist-binary-trailer") }
  package static var plistBinaryVersion: Self { malformed("plist-binary-version") }
  package static var plistBinaryObject: Self { malformed("plist-binary-object") }
  package static var plistBinaryTruncated: Self { malformed("plist-binary-truncated") }
  package static var plistBinaryReference: Self { malformed("plist-binary-reference") }
  package static var plistBinaryCycle: Self { malformed("plist-binary-cycle") }
  package static var plistBinaryKey: Self { malformed("plist-binary-key") }
  package static var plistBinaryText: Self { malformed("plist-binary-text") }
  /// Objects that are referred to so often that the whole is larger than any real one.
  package static var plistTooLarge: Self { malformed("plist-too-large") }
  package static var plistJSONSyntax: Self { malformed("plist-json-syntax") }
  package static var plistJSONUnfinished: Self { malformed("plist-json-unfinished") }
  package static var plistJSONNumber: Self { malformed("plist-json-number") }
  package static var plistJSONString: Self { malformed("plist-json-string") }
  package static var plistJSONNull: Self { malformed("plist-json-null") }
  package static var plistJSONTag: Self { malformed("plist-json-tag") }
  /// A value that the format which is to be written has no form for.
  package static var plistInexpressible: Self { malformed("plist-inexpressible") }
  package static var plistSecondValue: Self { malformed("plist-second-value") }
  /// An edit of what is not there, or of what is no container.
  package static var plistPath: Self { malformed("plist-path") }
  /// A value in a command's words that is not of its type.
  package static var plistArgument: Self { ConfigError.Code("plist-argument", exit: .usage) }
  package static var plistPathSyntax: Self { ConfigError.Code("plist-path-syntax", exit: .usage) }
  /// A path that leads nowhere: there is no such key, no such index, or no container.
  package static var plistNoKey: Self { ConfigError.Code("plist-no-key", exit: .negative) }
  package static var plistNoKeyNear: Self { ConfigError.Code("plist-no-key-near", exit: .negative) }
  package static var plistNoIndex: Self { ConfigError.Code("plist-no-index", exit: .negative) }
  package static var plistNoContainer: Self { ConfigError.Code("plist-no-container", exit: .negative) }
  /// An edit whose result, read again, is not what it was meant to be.
  package static var plistEdit: Self { ConfigError.Code("plist-edit", exit: .internalFault) }
}
