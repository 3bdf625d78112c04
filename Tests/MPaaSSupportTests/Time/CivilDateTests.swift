import Testing

@testable import MPaaSSupport

@Suite("Civil dates") struct CivilDateTests {
  @Test("are counted day by day over eight centuries, before and after 1970")
  func days() {
    var number = CivilDate.days(year: 1599, month: 12, day: 31)
    for year in 1600..<2400 {
      for month in 1...12 {
        for day in 1...CivilDate.days(in: month, of: year) {
          number += 1
          let date = CivilDate(daysSince1970: number)
          guard (date.year, date.month, date.day) == (year, month, day), date.daysSince1970 == number else {
            Issue.record("\(year)-\(month)-\(day) is \(date), day \(number)")
            return
          }
        }
      }
    }
    #expect(number == CivilDate.days(year: 2399, month: 12, day: 31))
  }

  @Test("begin with the first day of 1970, and know the year 0")
  func places() {
    #expect("\(CivilDate(daysSince1970: 0))" == "1970-01-01")
    #expect(CivilDate.days(year: 0, month: 3, day: 1) == -719_468)
    #expect("\(CivilDate(daysSince1970: -719_528))" == "0000-01-01")
  }

  @Test("do not exist where the month has no such day")
  func impossible() {
    #expect(CivilDate(year: 2024, month: 2, day: 29) != nil)
    #expect(CivilDate(year: 2100, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 2026, month: 4, day: 31) == nil)
    #expect(CivilDate(year: 2026, month: 13, day: 1) == nil)
    #expect(CivilDate(year: 2026, month: 1, day: 0) == nil)
  }

  @Test("have the second of the day, which is not negative before 1970 either")
  func times() {
    let before = CivilDate.at(secondsSince1970: -1)
    #expect("\(before.date)" == "1969-12-31")
    #expect(before.second == 86_399)
    let after = CivilDate.at(secondsSince1970: 86_400)
    #expect("\(after.date)" == "1970-01-02")
    #expect(after.second == 0)
  }
}
