public import TripStore

extension Moment {
    /// An instant some minutes after the first of May 2027, noon UTC.
    public static func sample(_ minutes: Int, _ zone: String = "Europe/Lisbon") -> Moment {
        Moment(milliseconds: 1_809_172_800_000 + Int64(minutes) * 60_000, zone: zone)
    }
}
