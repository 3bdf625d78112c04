/// A service that the app finds by its name, as MPaaSFramework has it.
protocol MobileService {}

/// The service that keeps notes in memory.
final class NoteKeeper: MobileService {
  private(set) var notes: [String] = []

  func keep(_ note: String) { notes.append(note) }
}

let keeper = NoteKeeper()
for note in CommandLine.arguments.dropFirst() { keeper.keep(note) }
print(keeper.notes.joined(separator: "\n"))
