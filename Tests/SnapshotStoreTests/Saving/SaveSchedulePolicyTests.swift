import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The other policies, and that a flush overrides the delay of every one.
struct SaveSchedulePolicyTests {
  static let policies: [SavePolicy] = [
    .automatic(), .automatic(delay: .seconds(3_600), maxDelay: .seconds(3_600)), .immediate, .manual,
  ]

  @Test func theImmediatePolicySavesEveryChangeAtOnce() {
    var driver = ScheduleDriver(.immediate)
    for time in [3, 4, 5] {
      driver.advance(to: .seconds(time))
      driver.change()
      driver.finishSave()
      #expect(driver.schedule.durable == driver.revision)
    }
    #expect(driver.begun == [.seconds(3), .seconds(4), .seconds(5)])
  }

  @Test func theImmediatePolicySavesChangesDuringASaveTogether() {
    var driver = ScheduleDriver(.immediate)
    driver.change()
    driver.advance(to: .seconds(1))
    for _ in 0..<10 { driver.change() }
    driver.finishSave()
    #expect(driver.begun == [.zero, .seconds(1)])
    driver.finishSave()
    #expect(driver.schedule.durable == 11)
    #expect(driver.begun.count == 2)
  }

  @Test func theManualPolicySavesOnlyWhenFlushed() {
    var driver = ScheduleDriver(.manual)
    driver.change()
    driver.advance(by: .seconds(1_000_000))
    #expect(driver.begun == [])
    #expect(driver.timers == [])
    let waiter = driver.flush()
    #expect(driver.isSaving)
    driver.change()
    driver.finishSave()
    #expect(driver.outcomes[waiter]?.map(\.?.code) == [nil])
    // Nothing has asked for the change during the save yet.
    driver.advance(by: .seconds(1_000_000))
    #expect(driver.begun.count == 1)
    #expect(driver.schedule.isDirty)
  }

  @Test func theManualPolicyDoesNotRetry() {
    var driver = ScheduleDriver(.manual)
    driver.change()
    let first = driver.flush()
    driver.finishSave(.diskFull)
    driver.advance(by: .seconds(1_000_000))
    #expect(driver.begun.count == 1)
    #expect(driver.outcomes[first]?.map(\.?.code) == [.ioFailed])
    let second = driver.flush()
    driver.finishSave()
    #expect(driver.outcomes[second]?.map(\.?.code) == [nil])
    #expect(!driver.schedule.isDirty)
  }

  // There are no changes, so everything is durable already.
  @Test func theReadOnlyPolicyNeverSaves() {
    var driver = ScheduleDriver(.readOnly)
    let waiter = driver.flush()
    #expect(driver.outcomes[waiter]?.map(\.?.code) == [nil])
    driver.handle(.timerFired)
    driver.advance(by: .seconds(1_000_000))
    #expect(driver.begun == [])
    #expect(driver.timers == [])
  }

  @Test func aFlushOfWhatIsDurableReturnsAtOnce() {
    each(Self.policies) { (policy: SavePolicy) in
      var driver = ScheduleDriver(policy)
      let first = driver.flush()
      #expect(driver.outcomes[first]?.map(\.?.code) == [nil])
      driver.change()
      driver.flush()
      driver.finishSave()
      let waiter = driver.flush()
      #expect(driver.outcomes[waiter]?.map(\.?.code) == [nil])
      #expect(!driver.isSaving)
    }
  }

  @Test func aFlushWhileIdleSavesAtOnce() {
    each(Self.policies) { (policy: SavePolicy) in
      var driver = ScheduleDriver(policy)
      driver.advance(to: .seconds(9))
      driver.change()
      let waiter = driver.flush()
      #expect(driver.begun == [.seconds(9)])
      #expect(driver.outcomes[waiter] == nil)
      driver.finishSave()
      #expect(driver.outcomes[waiter]?.map(\.?.code) == [nil])
    }
  }

  // The running save may not contain the change: it was begun before.
  @Test func aFlushDuringASaveWaitsForTheNextOne() {
    each(Self.policies) { (policy: SavePolicy) in
      var driver = ScheduleDriver(policy)
      driver.change()
      let first = driver.flush()
      driver.change()
      let second = driver.flush()
      driver.advance(by: .seconds(1))
      driver.finishSave()
      #expect(driver.outcomes[first]?.count == 1)
      #expect(driver.outcomes[second] == nil)
      #expect(driver.begun == [.zero, .seconds(1)])
      driver.finishSave()
      #expect(driver.outcomes[second]?.map(\.?.code) == [nil])
      #expect(driver.schedule.durable == 2)
    }
  }

  // A flush of a revision in the running save needs no save of its own.
  @Test func aFlushOfWhatIsBeingSavedJoinsTheSave() {
    each(Self.policies) { (policy: SavePolicy) in
      var driver = ScheduleDriver(policy)
      driver.change()
      let waiters = [driver.flush(), driver.flush(), driver.flush()]
      driver.finishSave()
      for waiter in waiters { #expect(driver.outcomes[waiter]?.map(\.?.code) == [nil]) }
      #expect(driver.begun.count == 1)
      #expect(!driver.isSaving)
    }
  }

  // A flush may know a revision before the schedule does.
  @Test func aFlushMayBeTheFirstToKnowARevision() {
    each(Self.policies) { (policy: SavePolicy) in
      var schedule = SaveSchedule(policy: policy)
      guard case .save? = schedule.handle(.flush(waiter: 1, revision: 1), now: .zero).first else {
        Issue.record("nothing is saved")
        return
      }
      #expect(schedule.isDirty)
      #expect(schedule.handle(.changed(revision: 1), now: .zero).isEmpty)
      guard
        case .resume([1], failure: nil)? = schedule.handle(.saveFinished(revision: 1, failure: nil), now: .zero).first
      else {
        Issue.record("the waiter was forgotten")
        return
      }
      #expect(!schedule.isDirty)
    }
  }
}
