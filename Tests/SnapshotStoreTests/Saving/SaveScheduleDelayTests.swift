import Testing

@testable import SnapshotStore
@testable import TestSupport

/// When the automatic policy begins a save, as long as saves succeed.
struct SaveScheduleDelayTests {
  static let policy = SavePolicy.automatic(delay: .milliseconds(500), maxDelay: .seconds(5))

  @Test func nothingIsSavedWithoutAChange() {
    var driver = ScheduleDriver(Self.policy)
    driver.handle(.timerFired)
    driver.advance(by: .seconds(60))
    #expect(driver.begun == [])
    #expect(driver.timers == [])
  }

  @Test func aChangeIsSavedAfterTheQuietDelay() {
    var driver = ScheduleDriver(Self.policy)
    driver.advance(to: .seconds(7))
    driver.change()
    driver.advance(to: .milliseconds(7_499))
    #expect(driver.begun == [])
    driver.advance(to: .seconds(20))
    #expect(driver.begun == [.milliseconds(7_500)])
    driver.finishSave()
    #expect(driver.schedule.durable == 1)
    #expect(!driver.schedule.isDirty)
    driver.advance(by: .seconds(60))
    #expect(driver.begun.count == 1)
  }

  @Test func everyChangeBeginsTheQuietDelayAnew() {
    var driver = ScheduleDriver(Self.policy)
    for _ in 0..<5 {
      driver.change()
      driver.advance(by: .milliseconds(400))
    }
    #expect(driver.begun == [])
    driver.advance(by: .milliseconds(100))
    #expect(driver.begun == [.milliseconds(2_100)])
  }

  // A pure debounce never saves while a user types without a pause.
  @Test func anEndlessStreamOfChangesIsSavedAtTheCap() {
    var driver = ScheduleDriver(Self.policy)
    while driver.now < .seconds(31) {
      if driver.isSaving { driver.finishSave() }
      driver.change()
      driver.advance(by: .milliseconds(100))
    }
    // The first change of each round is made at the moment of the previous round's save.
    #expect(driver.begun == (1...6).map { .seconds(5 * $0) })
  }

  @Test func anEndlessStreamSetsNoEndOfTimers() {
    var driver = ScheduleDriver(Self.policy)
    for _ in 0..<1_000 {
      driver.change()
      driver.advance(by: .milliseconds(1))
      #expect(driver.timers.count <= 2)
    }
  }

  // The timers for folding the journal, beside those for saving.
  @Test func anEndlessStreamOfSavesToAJournalSetsNoEndOfTimers() {
    var driver = ScheduleDriver(Self.policy, quietTime: .seconds(60))
    while driver.now < .seconds(3_600) {
      driver.change()
      driver.advance(by: .milliseconds(700))
      if driver.isSaving { driver.finishSave(unfolded: true) }
      guard driver.timers.count <= 3 else {
        Issue.record("\(driver.timers.count) timers after \(driver.begun.count) saves")
        return
      }
    }
    // Then the journal is folded, and no timer is left.
    driver.advance(by: .seconds(61))
    driver.finishSave()
    driver.advance(by: .seconds(61))
    #expect(driver.timers == [])
    #expect(driver.schedule.isAtRest)
  }

  // The cap counts from the first change that is not saved, not from the last save.
  @Test func theCapCountsFromTheFirstChange() {
    var driver = ScheduleDriver(.automatic(delay: .seconds(60), maxDelay: .seconds(5)))
    driver.change()
    driver.advance(to: .seconds(5))
    driver.finishSave()
    driver.advance(to: .seconds(100))
    driver.change()
    driver.advance(to: .seconds(200))
    #expect(driver.begun == [.seconds(5), .seconds(105)])
  }

  @Test func changesDuringASaveLeadToAnotherOne() {
    var driver = ScheduleDriver(Self.policy)
    driver.change()
    driver.advance(to: .milliseconds(500))
    driver.change()
    driver.change()
    driver.advance(to: .seconds(1))
    driver.finishSave()
    #expect(driver.schedule.durable == 1)
    #expect(driver.schedule.isDirty)
    // The quiet delay of those changes is long over, but the save took half a second: the governor waits ten times
    // that.
    driver.advance(to: .seconds(60))
    #expect(driver.begun == [.milliseconds(500), .milliseconds(5_500)])
    driver.finishSave()
    #expect(driver.schedule.durable == 3)
  }

  @Test func aSaveThatOutlastsTheCapIsFollowedAtOnce() {
    var driver = ScheduleDriver(Self.policy)
    driver.change()
    driver.advance(to: .milliseconds(500))
    driver.change()
    driver.advance(to: .seconds(30))
    #expect(driver.begun.count == 1)
    driver.finishSave()
    #expect(driver.begun == [.milliseconds(500), .seconds(30)])
  }

  // If a save takes a tenth of a second, the store saves after a second of quiet, so saving takes a tenth of the time.
  // If a save takes a second, the store would wait ten, but the cap holds.
  @Test func longSavesStretchTheDelayButNotPastTheCap() {
    each([
      (took: Duration.milliseconds(10), wait: Duration.milliseconds(500)),
      (.milliseconds(50), .milliseconds(500)),
      (.milliseconds(100), .seconds(1)),
      (.milliseconds(400), .seconds(4)),
      (.milliseconds(600), .seconds(5)),
      (.seconds(20), .seconds(5)),
    ]) { (took: Duration, wait: Duration) in
      var driver = ScheduleDriver(Self.policy)
      driver.change()
      driver.advance(to: .milliseconds(500))
      driver.advance(by: took)
      driver.finishSave()
      driver.advance(to: .seconds(100))
      driver.change()
      driver.advance(to: .seconds(200))
      #expect(driver.begun.last == .seconds(100) + wait)
    }
  }

  // A save takes the latest value. That value may have been published before the schedule was told of it.
  @Test func aChangeThatTheLastSaveHeldIsNotWaitedFor() {
    var driver = ScheduleDriver(Self.policy)
    driver.change()
    driver.advance(to: .milliseconds(500))
    // The save took revision 2 before the schedule heard of it.
    driver.handle(.saveFinished(revision: 2, failure: nil))
    driver.handle(.changed(revision: 2))
    #expect(!driver.schedule.isDirty)
    #expect(driver.schedule.durable == 2)
  }

  // The cap of a change counts from that change, not from one that is saved already.
  @Test func aChangeThatTheLastSaveHeldDoesNotBeginTheCap() {
    var schedule = SaveSchedule(policy: Self.policy)
    _ = schedule.handle(.changed(revision: 1), now: .zero)
    _ = schedule.handle(.timerFired, now: .milliseconds(500))
    _ = schedule.handle(.saveFinished(revision: 2, failure: nil), now: .milliseconds(500))
    _ = schedule.handle(.changed(revision: 2), now: .milliseconds(500))
    let actions = schedule.handle(.changed(revision: 3), now: .seconds(60))
    #expect(schedule.savingSince == nil, "saved at once instead of after the delay")
    guard case .setTimer(.milliseconds(60_500))? = actions.first else {
      Issue.record("no timer for the quiet delay: \(actions)")
      return
    }
  }

  // Timers are coarse. After one that fires a little early, another must follow.
  @Test func aTimerThatGoesOffEarlyIsSetAgain() {
    var schedule = SaveSchedule(policy: Self.policy)
    _ = schedule.handle(.changed(revision: 1), now: .zero)
    let actions = schedule.handle(.timerFired, now: .milliseconds(499))
    guard case .setTimer(.milliseconds(500))? = actions.first else {
      Issue.record("nothing will ever save the change: \(actions)")
      return
    }
  }
}
