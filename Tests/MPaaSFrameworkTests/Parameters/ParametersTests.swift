import MPaaSFramework
import Testing

@Suite("Parameters") struct ParametersTests {
  struct Point: Sendable, Decodable, Equatable {
    let x: Int
  }
  struct Trip: Decodable, Equatable {
    let from: String
    let days: Int
    let price: Double
    let point: Point?
    let stops: [Int]
  }

  @Test("give values as they are, and text as the type that is asked for")
  func values() throws {
    let parameters: Parameters = ["id": 42, "text": "7", "point": Point(x: 1), "on": "1"]
    #expect(try parameters.value("id") == 42)
    #expect(try parameters.value("text", as: Int.self) == 7)
    #expect(try parameters.value("text", as: String.self) == "7")
    #expect(try parameters.value("point", as: Point.self) == Point(x: 1))
    #expect(try parameters.value("on", as: Bool.self))
    #expect(parameters.names == ["id", "on", "point", "text"])
    #expect(parameters["none"] == nil)
  }

  @Test("are read as a type of the app, from values and from text")
  func decode() throws {
    let values: Parameters = ["from": "PEK", "days": 3, "price": 9.5, "point": Point(x: 2), "stops": [1, 2]]
    let expected = Trip(from: "PEK", days: 3, price: 9.5, point: Point(x: 2), stops: [1, 2])
    #expect(try values.decode(Trip.self) == expected)
    let texts: Parameters = ["from": "PEK", "days": "3", "price": "9.5", "stops": ["1", "2"]]
    #expect(try texts.decode(Trip.self) == Trip(from: "PEK", days: 3, price: 9.5, point: nil, stops: [1, 2]))
  }

  @Test(
    "that cannot be read are named",
    arguments: [
      (["from": "PEK", "days": "three", "price": "1", "stops": "1"], "days"),
      (["from": "PEK", "days": "3", "price": "1", "stops": "x"], "stops"),
      (["from": "PEK", "days": "3", "price": "1", "stops": "1", "point": "here"], "point"),
      (["days": "3", "price": "1", "stops": "1"], "from"),
    ])
  func errors(_ values: [String: String], _ parameter: String) {
    let error = #expect(throws: FrameworkError.self) { try Parameters(values).decode(Trip.self) }
    #expect(error?.values["parameter"] == parameter)
  }

  @Test("of a micro-app name it in errors, with its line") @MainActor
  func owner() throws {
    try withProbes("home") { context, _ in
      let home = try context.start("home", parameters: ["id": "x"])
      let error = #expect(throws: FrameworkError.self) { try home?.options.parameters.value("id", as: Int.self) }
      #expect(error?.subject == .application("home"))
      #expect(error?.place?.line == 10)
      #expect(error?.description.hasPrefix("MobileRuntime.plist:10: The parameter id of home is \"x\"") == true)
    }
  }
}
