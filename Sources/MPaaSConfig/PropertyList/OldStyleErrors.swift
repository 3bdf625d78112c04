package import MPaaSSupport

extension ConfigError.Code {
  /// A string, a comment, a container or data that the file ends in.
  package static var oldStyleUnclosed: Self { malformed("oldstyle-unclosed") }
  /// Something else stands where a sign or a value should.
  package static var oldStyleExpected: Self { malformed("oldstyle-expected") }
  /// A character that needs quotes.
  package static var oldStyleCharacter: Self { malformed("oldstyle-character") }
  package static var oldStyleEscape: Self { malformed("oldstyle-escape") }
  package static var oldStyleData: Self { malformed("oldstyle-data") }
  /// GNUstep's `<*I…>` with what is no such value.
  package static var oldStyleTyped: Self { malformed("oldstyle-typed") }
  package static var oldStyleTooDeep: Self { malformed("oldstyle-too-deep") }
  package static var oldStyleTooLarge: Self { malformed("oldstyle-too-large") }
  package static var oldStyleEmpty: Self { malformed("oldstyle-empty") }
  package static var oldStyleSecondValue: Self { malformed("oldstyle-second-value") }
  /// A value that the old-style format cannot hold.
  package static var oldStyleValue: Self { malformed("oldstyle-value") }
}
