import MPaaSSupport
package import MPaaSToolSupport

/// A real network as a timeline: measured, or found in logs.
package struct NetworkRecording: Sendable {
  package let timeline: Timeline
  /// The number of samples that the timeline is made of.
  package let samples: Int
  /// Records of logs that could not be used.
  package let badRecords: Int

  /// The timeline of a network that was measured.
  ///
  /// - Parameters:
  ///   - name: The timeline's name; nil for `recorded`.
  ///   - window: The length of a step.
  /// - Throws: `NetworkError` `net-record-empty` without samples.
  package init(_ samples: [LinkSample], name: String? = nil, window: Duration) throws(NetworkError) {
    try self.init(samples, name, window, files: [], badRecords: 0)
  }

  /// The timeline of the network that logs tell of.
  ///
  /// - Parameter read: Gives the text of a file.
  /// - Throws: `NetworkError` `net-record-empty` where no log holds a record; what `read` throws.
  package init(
    logs paths: [String], name: String? = nil, window: Duration, by read: (String) throws -> String
  ) throws {
    var log = NetworkLog()
    for path in paths { log.add(try read(path)) }
    try self.init(log.samples, name, window, files: paths, badRecords: log.badRecords)
  }

  private init(
    _ samples: [LinkSample], _ name: String?, _ window: Duration, files: [String], badRecords: Int
  ) throws(NetworkError) {
    guard !samples.isEmpty else { throw NetworkError(.recordEmpty, ["files": files.joined(separator: ", ")]) }
    timeline = Timeline.recorded(samples, name: name ?? "recorded", window: window)
    self.samples = samples.count
    self.badRecords = badRecords
  }

  /// Writes the timeline to a file, in the form that the file's name asks for.
  ///
  /// - Returns: The path of the file; nil for standard output.
  package func write(to place: ResultPlace) throws -> String? {
    try place.write { TimelineForm(ofFile: place.file ?? "").text(of: timeline, .builtIn).utf8 }
  }
}
