package import MPaaSSupport

extension LanguageError.Code {
  /// The bytes of a table are no text in UTF-8 or UTF-16.
  package static var tableEncoding: Self { malformed("i18n-encoding") }
  /// A catalogue is not JSON, or not of the shape of catalogues.
  package static var catalogSyntax: Self { malformed("i18n-catalog-syntax") }
  package static var catalogShape: Self { malformed("i18n-catalog-shape") }
  package static var csv: Self { malformed("i18n-csv") }
  /// An edit of a table that is no text file.
  package static var tableXML: Self { refused("i18n-table-xml") }
  /// The refusal of text that a format has no form for.
  package static var notExpressible: Self { refused("i18n-not-expressible") }
  /// A path that is no table, or a folder without any.
  package static var noTable: Self { LanguageError.Code("i18n-no-table", exit: .inputMissing) }
  /// A path that is no source of a language that is known.
  package static var noSource: Self { LanguageError.Code("i18n-no-source", exit: .inputMissing) }
  /// Texts are not removed while sources ask for keys that are known at run time only.
  package static var pruneDynamic: Self { refused("i18n-prune-dynamic") }
  /// Texts are not removed while views of SwiftUI are not looked at.
  package static var pruneSwiftUI: Self { refused("i18n-prune-swiftui") }
  /// More texts of a file would go than may go at once.
  package static var pruneShare: Self { refused("i18n-prune-share") }
  /// A file that is not overwritten unasked.
  package static var exists: Self { LanguageError.Code("i18n-exists", exit: .cannotCreate) }
}
