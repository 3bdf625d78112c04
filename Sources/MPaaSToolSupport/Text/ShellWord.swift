extension String {
  /// The text as one word of a shell's line, between single quotes, in which no sign means anything.
  package var shellQuoted: String { "'" + replacing("'", with: "'\\''") + "'" }

  /// The text as one word of a shell's line: as it stands where it has nothing but the letters and digits of ASCII and
  /// `signs`, else between quotes.
  ///
  /// - Parameter signs: The signs that mean nothing to the shell where the word is used.
  package func shellWord(plain signs: String = "._/-+@") -> String {
    let isPlain = utf8.allSatisfy {
      ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || signs.utf8.contains($0)
    }
    return isPlain && !isEmpty ? self : shellQuoted
  }
}
