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
      let reading = readings.usual(scalar)
      let only = !readings.isPolyphone(scalar)
      choices[index] = ReadingChoice(
        reading: reading, confidence: reading == .none ? 0 : only ? 255 : 128,
        evidence: reading == .none ? .none : only ? .only : .prior)
    }
  }
}
