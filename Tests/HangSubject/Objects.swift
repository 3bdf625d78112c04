import Foundation

/// An object that is counted from outside.
private final class Parcel {
  let number: Int
  let weight: Double

  init(_ number: Int) {
    self.number = number
    weight = Double(number) / 2
  }
}

/// One of a generic class.
private class Crate<Content> {
  let content: Content

  init(_ content: Content) {
    self.content = content
  }
}

/// Makes objects on two threads, and lets some go; more for each line that it reads.
enum Objects {
  /// An object whose count of references is in a table of its own, since it is referred to weakly.
  private final class Watched {
    weak var other: Parcel?
  }

  @MainActor static func begin() -> Never {
    var kept: [AnyObject] = (0..<1000).map { Parcel($0) }
    for number in 0..<500 { withExtendedLifetime(Parcel(number)) {} }
    let watched = Watched()
    watched.other = kept.first as? Parcel
    kept.append(watched)
    for number in 0..<70 { kept.append(Crate(number)) }
    for number in 0..<7 { kept.append(Crate("\(number)")) }
    let thread = Thread {
      let more = (0..<234).map { Parcel($0) }
      tell("ready")
      withExtendedLifetime(more) { while true { sleep(3600) } }
    }
    thread.start()
    while readLine() != nil {
      kept += (0..<100).map { Parcel($0) as AnyObject }
      tell("more")
    }
    exit(0)
  }
}
