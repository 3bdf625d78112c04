package import MPaaSSupport

extension SearchReadings {
  /// Reads the table of a file, which is UTF-8 text.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - isLossy: Takes bytes that are no UTF-8 as U+FFFD.
  ///   - name: The file's name in errors.
  /// - Throws: `PinyinError` with the file, and the line or the offset in it.
  package init(file bytes: Bytes, isLossy: Bool, named name: String) throws(PinyinError) {
    var options = RecordOptions()
    options.isLossy = isLossy
    // As text that is known to be UTF-8, or refused.
    _ = try SearchRecords(bytes, options: options, file: name)
    do {
      try self.init(table: withExtendedLifetime(bytes) { String(utf8: bytes.buffer) })
    } catch {
      var values = error.values
      values["file"] = name
      let place = values["line"].flatMap { Int($0) }.map { Place.text(file: name, line: $0, column: nil) }
      throw PinyinError(error.code, values, at: place ?? .file(name))
    }
  }
}
