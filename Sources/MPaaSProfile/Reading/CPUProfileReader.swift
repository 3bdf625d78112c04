import MPaaSSupport

/// V8's `.cpuprofile` files, as Node.js and Chrome write them.
struct CPUProfileReader {
  /// Reads a file.
  ///
  /// - Throws: `profile-not-json`, `profile-bad-member`.
  static func profile(_ bytes: UnsafeRawBufferPointer, file: String) throws(ProfileError) -> Profile {
    var profile = Profile(name: file, types: [.wall])
    var json = JSONCursor(bytes, file: file)
    var sampled = SampledTimes()
    try json.object("$") { (name, json) throws(ProfileError) in
      if json.isName(name, "nodes") {
        try sampled.nodes.take(&json, &profile)
      } else if json.isName(name, "samples") {
        try sampled.take(samples: &json)
      } else if json.isName(name, "timeDeltas") {
        try sampled.take(deltas: &json)
      } else if json.isName(name, "startTime") {
        sampled.start = try json.decimal("startTime", scale: 3)
      } else if json.isName(name, "endTime") {
        sampled.end = try json.decimal("endTime", scale: 3)
      } else {
        try json.skip()
      }
    }
    try json.end()
    if sampled.isEmpty { profile.types = [.samples] }
    var thread = ProfileThread(name: "main")
    if let member = sampled.append(to: &thread, of: &profile) { throw json.bad(member) }
    profile.threads = [thread]
    return profile
  }
}
