@testable import MPaaSPinyin

/// Reads by a few words that a test gives, each as `重庆 chong2 qing4`, and divides text by them.
struct ScriptedEngine: ReadingEngine {
  private let words: [(scalars: [UInt32], readings: [Reading])]

  init(_ words: String...) {
    self.words = words.map { word in
      let parts = word.split(separator: " ")
      return (parts[0].unicodeScalars.map(\.value), parts.dropFirst().compactMap { Reading(digits: $0) })
    }
  }

  func read(
    _ scalars: UnsafeBufferPointer<UInt32>, as kind: TextKind,
    into choices: UnsafeMutableBufferPointer<ReadingChoice>
  ) {
    var place = 0
    while place < scalars.count {
      let word = words.first { scalars[place...].starts(with: $0.scalars) }
      let count = word?.scalars.count ?? 1
      for index in 0..<count {
        let usual = PinyinData.builtIn.readings.usual(scalars[place + index])
        choices[place + index] = ReadingChoice(
          reading: word?.readings[index] ?? usual, confidence: 200, startsWord: index == 0)
      }
      place += count
    }
  }
}
