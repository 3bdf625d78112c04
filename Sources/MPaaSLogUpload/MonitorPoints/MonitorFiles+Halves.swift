extension MonitorFiles {
  /// Parts of files with the first half of the lines that wait, and parts with the second.
  package func halves(_ slices: [MonitorSlice]) -> [[MonitorSlice]] {
    let half = lines(slices).count / 2
    var halves: [[MonitorSlice]] = [[], []]
    var count = 0
    for slice in slices {
      guard let file = try? MonitorFile(marking: folder + "/" + slice.file) else { continue }
      var cut = slice.start
      MonitorScan.waiting(in: file, from: slice.start, to: slice.end) { line in
        guard count < half else { return false }
        count += 1
        cut = line.end
        return true
      }
      for (index, range) in [(slice.start, cut), (cut, slice.end)].enumerated() where range.0 < range.1 {
        var part = MonitorSlice(file: slice.file, start: range.0, end: range.1)
        part.checksum = MonitorScan.checksum(part, in: file)
        halves[index].append(part)
      }
    }
    return halves.filter { !$0.isEmpty }
  }
}
