import Testing

@testable import SnapshotStore
@testable import TestSupport

/// After a failed save the waiters are told, and the save is tried again, less and less often.
struct SaveScheduleFailureTests {
  static let retrying: [SavePolicy] = [
    .automatic(), .automatic(delay: .seconds(50), maxDelay: .seconds(60)), .immediate,
  ]

  /// A driver whose first save has just failed.
  static func failed(_ policy: SavePolicy) -> ScheduleDriver {
    var driver = ScheduleDriver(policy)
    driver.change()
    driver.flush()
    driver.finishSave(.diskFull)
    return driver
  }

  @Test(arguments: retrying)
  func theWaitersOfAFailedSaveAreToldWhy(_ policy: SavePolicy) {
    var driver = ScheduleDriver(policy)
    driver.change()
    let waiters = [driver.flush(), driver.flush()]
    driver.finishSave(.diskFull)
    for waiter in waiters { #expect(driver.outcomes[waiter]?.map(\.?.message) == ["the disk is full"]) }
    #expect(driver.schedule.isDirty)
    #expect(driver.schedule.durable == 0)
    #expect(driver.schedule.failures == 1)
  }

  // A waiter for a later revision than that of the failed save is still served, and at once.
  @Test(arguments: retrying)
  func theWaitersForTheNextSaveGoOnWaiting(_ policy: SavePolicy) {
    var driver = ScheduleDriver(policy)
    driver.change()
    let first = driver.flush()
    driver.change()
    let second = driver.flush()
    driver.finishSave(.diskFull)
    #expect(driver.outcomes[first]?.map(\.?.code) == [.ioFailed])
    #expect(driver.outcomes[second] == nil)
    #expect(driver.isSaving)
    driver.finishSave()
    #expect(driver.outcomes[second]?.map(\.?.code) == [nil])
    #expect(driver.outcomes[first]?.count == 1)
  }

  @Test(arguments: retrying)
  func retriesBackOffUpToHalfAMinute(_ policy: SavePolicy) {
    var driver = Self.failed(policy)
    var begun: [Duration] = []
    for wait in [0.5, 1, 2, 4, 8, 16, 30, 30, 30] {
      let failedAt = driver.now
      driver.advance(by: .seconds(wait) - .milliseconds(1))
      #expect(!driver.isSaving)
      driver.advance(by: .milliseconds(1))
      #expect(driver.isSaving)
      begun.append(failedAt + .seconds(wait))
      // A save that fails slowly backs off from its end.
      driver.advance(by: .milliseconds(250))
      driver.finishSave(.diskFull)
    }
    #expect(Array(driver.begun.dropFirst()) == begun)
    #expect(driver.schedule.failures == 10)
    #expect(driver.schedule.isDirty)
  }

  // Thousands of failures later the doubling must not have overflowed.
  @Test func aDiskMayStayFullForever() {
    var driver = Self.failed(.automatic())
    for _ in 0..<5_000 {
      driver.advance(by: .seconds(30))
      #expect(driver.isSaving)
      driver.finishSave(.diskFull)
    }
    driver.advance(by: .seconds(30))
    driver.finishSave()
    #expect(!driver.schedule.isDirty)
  }

  @Test(arguments: retrying)
  func aSuccessEndsTheBackOff(_ policy: SavePolicy) {
    var driver = Self.failed(policy)
    for _ in 0..<4 {
      driver.advance(by: .seconds(30))
      driver.finishSave(.diskFull)
    }
    driver.advance(by: .seconds(30))
    driver.finishSave()
    #expect(driver.schedule.failures == 0)
    #expect(driver.schedule.durable == 1)
    driver.advance(by: .seconds(100))
    #expect(!driver.isSaving)
    // The next failure begins at half a second again.
    driver.change()
    driver.flush()
    driver.finishSave(.diskFull)
    let failedAt = driver.now
    driver.advance(by: .seconds(10))
    #expect(driver.begun.last == failedAt + .milliseconds(500))
  }

  @Test(arguments: retrying)
  func aFlushDoesNotWaitForTheBackOff(_ policy: SavePolicy) {
    var driver = Self.failed(policy)
    for _ in 0..<6 {
      driver.advance(by: .seconds(30))
      driver.finishSave(.diskFull)
    }
    driver.advance(by: .seconds(1))
    let waiter = driver.flush()
    #expect(driver.isSaving)
    driver.finishSave()
    #expect(driver.outcomes[waiter]?.map(\.?.code) == [nil])
    driver.advance(by: .seconds(100))
    #expect(!driver.isSaving)
  }

  // Typing while the disk is full must not cause a save for every letter.
  @Test(arguments: retrying)
  func changesDoNotShortenTheBackOff(_ policy: SavePolicy) {
    var driver = Self.failed(policy)
    for _ in 0..<6 {
      driver.advance(by: .seconds(30))
      driver.finishSave(.diskFull)
    }
    let failedAt = driver.now
    for _ in 0..<250 {
      driver.change()
      driver.advance(by: .milliseconds(100))
    }
    #expect(!driver.isSaving)
    driver.advance(by: .seconds(10))
    #expect(driver.begun.last == failedAt + .seconds(30))
    driver.finishSave()
    #expect(driver.schedule.durable == driver.revision)
  }

  // The first change of a failed save keeps its age.
  @Test func afterARecoveryTheCapHoldsAgain() {
    var driver = ScheduleDriver(.automatic(delay: .seconds(4), maxDelay: .seconds(5)))
    driver.change()
    driver.flush()
    driver.advance(to: .milliseconds(200))
    driver.change()
    driver.finishSave(.diskFull)
    driver.advance(to: .milliseconds(700))
    #expect(driver.isSaving)
    driver.change()
    driver.finishSave()
    for _ in 0..<100 where !driver.isSaving {
      driver.advance(by: .milliseconds(100))
      if !driver.isSaving { driver.change() }
    }
    #expect(driver.begun.last == .milliseconds(5_700))
  }

  // To the schedule, a save with an unknown result is a failure like any other.
  @Test func anIndeterminateSaveIsNotDurable() {
    var driver = ScheduleDriver(.automatic())
    driver.change()
    let waiter = driver.flush()
    driver.finishSave(SnapshotError(.indeterminate, "the directory could not be synced"))
    #expect(driver.outcomes[waiter]?.map(\.?.code) == [.indeterminate])
    #expect(driver.schedule.isDirty)
    driver.advance(by: .milliseconds(500))
    #expect(driver.isSaving)
  }
}
