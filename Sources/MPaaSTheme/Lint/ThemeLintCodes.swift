import MPaaSSupport

extension ThemeError.Code {
  /// A condition about nothing that there is: neither screen, nor ios, nor device.
  static var conditionUnknown: Self { malformed("theme-condition-unknown") }
  static var conditionValue: Self { malformed("theme-condition-value") }
  static var conditionOperator: Self { malformed("theme-condition-operator") }
  /// A condition that no device meets.
  static var conditionNever: Self { malformed("theme-condition-never") }
  /// A key that is no condition, among conditions.
  static var conditionMixed: Self { malformed("theme-condition-mixed") }
  /// Two conditions that hold at once.
  static var conditionsOverlap: Self { malformed("theme-conditions-overlap") }
  static var defaultMissing: Self { malformed("theme-default-missing") }
  /// `ios=9`, which holds for 9.0.0 and nothing else.
  static var versionShort: Self { malformed("theme-version-short") }
  static var constantUnused: Self { malformed("theme-constant-unused") }
  static var colorMalformed: Self { malformed("theme-color-malformed") }
  /// A constant that is no colour, where a colour is wanted.
  static var colorConstant: Self { malformed("theme-color-constant") }
  static var fontSize: Self { malformed("theme-font-size") }
  static var fontBold: Self { malformed("theme-font-bold") }
  static var fontMember: Self { malformed("theme-font-member") }
  static var imageMissing: Self { malformed("theme-image-missing") }
  static var nameMissing: Self { malformed("theme-name-missing") }
  static var keyTwice: Self { malformed("theme-key-twice") }
  /// A key with a dot in it, or an empty one.
  static var keyUnreachable: Self { malformed("theme-key-unreachable") }
}

extension ThemeError.Code {
  /// A path whose values on different devices have no type in common.
  static var convertType: Self { malformed("theme-convert-type") }
  /// A value that depends on the screen, where only kinds of devices can be told apart.
  static var convertScreens: Self { malformed("theme-convert-screens") }
  /// Values that an asset catalogue has no place for.
  static var convertLeft: Self { malformed("theme-convert-left") }
}
