/// The names that Windows gives to zones, as calendars of Outlook and Exchange use them, and what the database of zones calls them (from
/// the Unicode CLDR's windowsZones: of each the zone of its main territory).
enum WindowsZones {
    static let names: [String: String] = {
        var names: [String: String] = [:]
        for line in table.split(separator: "\n") {
            let pair = line.split(separator: "=")
            if pair.count == 2 { names[pair[0].lowercased()] = String(pair[1]) }
        }
        return names
    }()

    /// The zones of the table, in its order, each once: what the offsets of an unknown zone are compared with.
    static let zones: [String] = {
        var seen: Set<String> = []
        return table.split(separator: "\n").compactMap { $0.split(separator: "=").last.map(String.init) }.filter {
            seen.insert($0).inserted
        }
    }()

    private static let table = """
        W. Europe Standard Time=Europe/Berlin
        GMT Standard Time=Europe/London
        Romance Standard Time=Europe/Paris
        Central Europe Standard Time=Europe/Budapest
        Central European Standard Time=Europe/Warsaw
        E. Europe Standard Time=Europe/Chisinau
        FLE Standard Time=Europe/Kyiv
        GTB Standard Time=Europe/Bucharest
        Greenwich Standard Time=Atlantic/Reykjavik
        Azores Standard Time=Atlantic/Azores
        Cape Verde Standard Time=Atlantic/Cape_Verde
        Morocco Standard Time=Africa/Casablanca
        Turkey Standard Time=Europe/Istanbul
        Russian Standard Time=Europe/Moscow
        Kaliningrad Standard Time=Europe/Kaliningrad
        Belarus Standard Time=Europe/Minsk
        Eastern Standard Time=America/New_York
        Central Standard Time=America/Chicago
        Mountain Standard Time=America/Denver
        US Mountain Standard Time=America/Phoenix
        Pacific Standard Time=America/Los_Angeles
        Alaskan Standard Time=America/Anchorage
        Hawaiian Standard Time=Pacific/Honolulu
        Atlantic Standard Time=America/Halifax
        Newfoundland Standard Time=America/St_Johns
        Canada Central Standard Time=America/Regina
        Central America Standard Time=America/Guatemala
        Central Standard Time (Mexico)=America/Mexico_City
        Eastern Standard Time (Mexico)=America/Cancun
        Pacific Standard Time (Mexico)=America/Tijuana
        SA Pacific Standard Time=America/Bogota
        SA Western Standard Time=America/La_Paz
        SA Eastern Standard Time=America/Cayenne
        E. South America Standard Time=America/Sao_Paulo
        Argentina Standard Time=America/Buenos_Aires
        Pacific SA Standard Time=America/Santiago
        Venezuela Standard Time=America/Caracas
        Paraguay Standard Time=America/Asuncion
        Montevideo Standard Time=America/Montevideo
        Cuba Standard Time=America/Havana
        Egypt Standard Time=Africa/Cairo
        South Africa Standard Time=Africa/Johannesburg
        W. Central Africa Standard Time=Africa/Lagos
        E. Africa Standard Time=Africa/Nairobi
        Israel Standard Time=Asia/Jerusalem
        Jordan Standard Time=Asia/Amman
        Middle East Standard Time=Asia/Beirut
        Arab Standard Time=Asia/Riyadh
        Arabic Standard Time=Asia/Baghdad
        Arabian Standard Time=Asia/Dubai
        Iran Standard Time=Asia/Tehran
        Georgian Standard Time=Asia/Tbilisi
        Caucasus Standard Time=Asia/Yerevan
        Azerbaijan Standard Time=Asia/Baku
        Afghanistan Standard Time=Asia/Kabul
        Pakistan Standard Time=Asia/Karachi
        West Asia Standard Time=Asia/Tashkent
        India Standard Time=Asia/Kolkata
        Sri Lanka Standard Time=Asia/Colombo
        Nepal Standard Time=Asia/Kathmandu
        Bangladesh Standard Time=Asia/Dhaka
        Central Asia Standard Time=Asia/Bishkek
        Myanmar Standard Time=Asia/Yangon
        SE Asia Standard Time=Asia/Bangkok
        China Standard Time=Asia/Shanghai
        Singapore Standard Time=Asia/Singapore
        Taipei Standard Time=Asia/Taipei
        W. Australia Standard Time=Australia/Perth
        Tokyo Standard Time=Asia/Tokyo
        Korea Standard Time=Asia/Seoul
        Cen. Australia Standard Time=Australia/Adelaide
        AUS Central Standard Time=Australia/Darwin
        AUS Eastern Standard Time=Australia/Sydney
        E. Australia Standard Time=Australia/Brisbane
        Tasmania Standard Time=Australia/Hobart
        Vladivostok Standard Time=Asia/Vladivostok
        West Pacific Standard Time=Pacific/Port_Moresby
        New Zealand Standard Time=Pacific/Auckland
        Fiji Standard Time=Pacific/Fiji
        Tonga Standard Time=Pacific/Tongatapu
        Samoa Standard Time=Pacific/Apia
        UTC=UTC
        Coordinated Universal Time=UTC
        """
}
