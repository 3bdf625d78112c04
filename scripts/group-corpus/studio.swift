// Bugs in Swift that the rules were not made for. Usage: studio BUG ROUTE VALUE.
#if canImport(Glibc)
  import Glibc
#endif

nonisolated(unsafe) var spent = 0

protocol Brush: Sendable {
  func stroke(_ width: Int) -> Int
}

struct Pencil: Brush {
  // t01
  @inline(never) func stroke(_ width: Int) -> Int {
    trace("pencil")
    var widths = Set<Int>()
    widths.insert(width)
    return widths.remove(-width)!
  }
}

struct Marker: Brush {
  // t02
  @inline(never) func stroke(_ width: Int) -> Int {
    trace("marker")
    let range = width..<spent - 100
    return range.count
  }
}

enum CanvasError: Error { case torn(Int) }

final class Canvas {
  weak var owner: Canvas?
  unowned let base: Canvas?
  var strokes: [String] = []

  init(base: Canvas?) { self.base = base }

  // t03
  @inline(never) func mix(_ name: String) -> Character {
    trace("mix")
    let index = name.index(name.startIndex, offsetBy: 3)
    return name[index]
  }

  // t04
  @inline(never) func save(_ number: Int) throws -> Int {
    if number > 0 { throw CanvasError.torn(number) }
    return number
  }
  @inline(never) func saveAll(_ number: Int) -> Int {
    trace("save")
    let saved = try! save(number)
    return saved + strokes.count
  }
}

// t05
@inline(never) func blend<Color: FixedWidthInteger>(_ left: Color, _ right: Color) -> Color {
  trace("blend")
  let sum = left + right
  return sum / 2
}

// t06
@inline(never) func render(_ frames: [Int], _ wanted: Int) async -> Int {
  trace("render")
  await Task.yield()
  let found = frames.firstIndex(of: wanted)
  guard let found else { fatalError("no frame \(wanted)") }
  return found
}

#if SECOND
  @inline(never) func trace(_ text: String) {
    for scalar in text.unicodeScalars { spent = (spent &* 31 &+ Int(scalar.value)) & 15 }
  }
#else
  @inline(never) func trace(_ text: String) { spent = text.count & 15 }
#endif

@inline(never) func paint(_ bug: Int, _ value: Int, _ again: Bool) -> Int {
  let canvas = Canvas(base: nil)
  let brushes: [any Brush] = [Pencil(), Marker()]
  switch bug {
  case 1: return again ? Pencil().stroke(9) : brushes[0].stroke(value)
  case 2: return again ? Marker().stroke(90) : brushes[1].stroke(value)
  case 3: return canvas.mix(again ? "ab" : "").utf8.count
  case 4: return canvas.saveAll(again ? 100 : value)
  default: return again ? Int(blend(UInt8(250), UInt8(spent & 1 + 9))) : blend(Int.max, value)
  }
}

@main struct Studio {
  static func main() async {
    let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    let (bug, route, value) = (numbers[0], numbers[1], numbers[2])
    var total = 0
    if bug == 6 {
      if route < 2 {
        total = await render([1, 2], value + 10)
      } else {
        async let first = render([], 99)
        async let second = render([99], 99)
        total = await first + second
      }
    } else if route == 0 {
      total = paint(bug, value, false)
    } else if route == 1 {
      total = await Task.detached { paint(bug, value, false) }.value
    } else if route == 2 {
      total = [bug].lazy.map { paint($0, value, true) }.reduce(0, +)
    } else {
      total = await withTaskGroup(of: Int.self) { group in
        for number in [bug] { group.addTask { paint(number, value, true) } }
        return await group.reduce(0, +)
      }
    }
    print(total)
  }
}
