/// Reads by a dictionary of words.
package struct DictionaryEngine: ReadingEngine {
  private let readings: ReadingTable

  package init(_ data: PinyinData) {
    readings = data.readings
  }

  package func read(
    _ scalars: UnsafeBufferPointer<UInt32>, as kind: TextKind,
    into choices: UnsafeMutableBufferPointer<ReadingChoice>
  ) {
    for index in scalars.indices {
      let scalar = scalars[index]
      choices[index] = ReadingChoice(
        reading: readings.usual(scalar), confidence: readings.isPolyphone(scalar) ? 128 : 255)
    }
  }
}
