import Foundation

/// How much some tests do: little by default, and as much as the environment says.
public enum TestCounts {
    /// How often hubs race for one place of a journal: `TEST_DATABASE_RACES`.
    public static let races = count("TEST_DATABASE_RACES", 60)
    /// How many journals replicas write in at random, and how many replicas there are in each: `TEST_DATABASE_JOURNALS`,
    /// `TEST_DATABASE_REPLICAS`.
    public static let journals = count("TEST_DATABASE_JOURNALS", 2)
    public static let replicas = count("TEST_DATABASE_REPLICAS", 4)
    /// Minutes that a suite may take.
    public static let minutes = races > 60 || journals > 2 || replicas > 4 ? 60 : 2

    private static func count(_ name: String, _ usual: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }.map { max(2, $0) } ?? usual
    }
}
