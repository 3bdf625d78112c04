// The same for Swift: traps, closures, generics, witnesses.
@inline(never)
func um_fault(_ depth: Int) -> Int {
  let address = UnsafePointer<Int>(bitPattern: 0x10 + depth * 8)
  return address.map { $0.pointee } ?? 0
}

@inline(never)
func um_index(_ depth: Int) -> Int {
  var numbers = [1, 2, 3]
  numbers.append(depth)
  return numbers[depth + CommandLine.arguments.count + 9]
}

@inline(never)
func um_nil(_ depth: Int) -> Int {
  let word = CommandLine.arguments.count > 99 ? "1" : "x"
  return Int(word)! + depth
}

protocol UMActs {
  func um_act(_ depth: Int) -> Int
}

struct UMFirst: UMActs {
  @inline(never)
  func um_act(_ depth: Int) -> Int { um_fault(depth) + 1 }
}

@inline(never)
func um_generic<Actor: UMActs>(_ actor: Actor, _ depth: Int) -> Int { actor.um_act(depth) + 1 }

@inline(never)
func um_witness(_ actor: any UMActs, _ depth: Int) -> Int { um_generic(actor, depth) + 1 }

@inline(never)
func um_map(_ depth: Int) -> Int {
  [depth, 2, 3].map { um_fault($0) + 1 }.reduce(0, +)
}

@inline(never)
func um_deep(_ kind: String, _ depth: Int) -> Int {
  if depth > 0 { return um_deep(kind, depth - 1) + 1 }
  switch kind {
  case "index": return um_index(depth) + 1
  case "nil": return um_nil(depth) + 1
  case "witness": return um_witness(UMFirst(), depth) + 1
  case "map": return um_map(depth) + 1
  default: return um_fault(depth) + 1
  }
}

@main
struct UMProgram {
  static func main() {
    print(um_deep(CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "", 4))
  }
}
