/// The zones of airports that many people fly to, by their IATA codes.
enum AirportZones {
    static let zones: [String: String] = {
        var zones: [String: String] = [:]
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ")
            for code in words.dropFirst() { zones[String(code)] = String(words[0]) }
        }
        return zones
    }()

    /// Each zone with its airports.
    static let table = """
        Europe/Lisbon LIS OPO FAO
        Atlantic/Madeira FNC
        Atlantic/Azores PDL TER
        Europe/Madrid MAD BCN AGP PMI VLC SVQ BIO ALC IBZ
        Atlantic/Canary LPA TFS TFN ACE FUE
        Europe/Paris CDG ORY NCE LYS MRS TLS BOD NTE
        Europe/London LHR LGW STN LTN LCY MAN EDI GLA BHX BRS BFS
        Europe/Dublin DUB ORK SNN
        Europe/Brussels BRU CRL
        Europe/Amsterdam AMS EIN RTM
        Europe/Luxembourg LUX
        Europe/Berlin FRA MUC BER HAM DUS STR CGN HAJ NUE LEJ BRE
        Europe/Zurich ZRH GVA
        Europe/Vienna VIE SZG INN GRZ
        Europe/Rome FCO CIA MXP LIN BGY VCE NAP BLQ FLR PSA CTA PMO TRN
        Europe/Malta MLA
        Europe/Copenhagen CPH BLL
        Europe/Stockholm ARN GOT
        Europe/Oslo OSL BGO TRD SVG TOS
        Europe/Helsinki HEL
        Atlantic/Reykjavik KEF
        Europe/Riga RIX
        Europe/Tallinn TLL
        Europe/Vilnius VNO
        Europe/Warsaw WAW KRK GDN WRO
        Europe/Prague PRG
        Europe/Budapest BUD
        Europe/Bucharest OTP
        Europe/Sofia SOF
        Europe/Belgrade BEG
        Europe/Zagreb ZAG SPU DBV
        Europe/Athens ATH SKG HER RHO
        Europe/Istanbul IST SAW AYT ESB ADB
        Asia/Nicosia LCA PFO
        America/New_York JFK LGA EWR BOS PHL IAD DCA BWI CLT ATL MIA FLL MCO TPA PIT CLE
        America/Detroit DTW
        America/Chicago ORD MDW DFW DAL IAH HOU AUS SAT MSP MCI STL MSY BNA
        America/Denver DEN SLC ABQ
        America/Phoenix PHX TUS
        America/Los_Angeles LAX SFO OAK SJC SAN SEA PDX LAS SMF
        America/Anchorage ANC
        Pacific/Honolulu HNL OGG KOA LIH
        America/Toronto YYZ YUL YOW
        America/Winnipeg YWG
        America/Edmonton YYC YEG
        America/Vancouver YVR
        America/Halifax YHZ
        America/Mexico_City MEX GDL
        America/Cancun CUN
        America/Panama PTY
        America/Costa_Rica SJO
        America/Havana HAV
        America/Puerto_Rico SJU
        America/Bogota BOG MDE CTG
        America/Lima LIM CUZ
        America/Guayaquil UIO GYE
        America/Sao_Paulo GRU GIG CGH SDU BSB
        America/Argentina/Buenos_Aires EZE AEP
        America/Montevideo MVD
        America/Santiago SCL
        Africa/Casablanca CMN RAK
        Africa/Tunis TUN
        Africa/Cairo CAI HRG
        Africa/Dakar DSS
        Africa/Accra ACC
        Africa/Lagos LOS ABV
        Africa/Addis_Ababa ADD
        Africa/Nairobi NBO MBA
        Africa/Johannesburg JNB CPT DUR
        Indian/Mauritius MRU
        Asia/Jerusalem TLV
        Asia/Amman AMM
        Asia/Beirut BEY
        Asia/Riyadh RUH JED
        Asia/Qatar DOH
        Asia/Dubai DXB AUH DWC
        Asia/Karachi KHI ISB LHE
        Asia/Kolkata DEL BOM BLR MAA HYD CCU COK GOI
        Asia/Kathmandu KTM
        Asia/Dhaka DAC
        Asia/Colombo CMB
        Indian/Maldives MLE
        Asia/Bangkok BKK DMK HKT CNX
        Asia/Ho_Chi_Minh SGN HAN DAD
        Asia/Phnom_Penh PNH
        Asia/Kuala_Lumpur KUL PEN
        Asia/Singapore SIN
        Asia/Jakarta CGK
        Asia/Makassar DPS
        Asia/Manila MNL CEB
        Asia/Hong_Kong HKG
        Asia/Macau MFM
        Asia/Taipei TPE TSA
        Asia/Shanghai PVG SHA PEK PKX CAN SZX CTU
        Asia/Seoul ICN GMP PUS
        Asia/Tokyo HND NRT KIX ITM NGO FUK CTS OKA
        Australia/Perth PER
        Australia/Darwin DRW
        Australia/Adelaide ADL
        Australia/Brisbane BNE OOL CNS
        Australia/Sydney SYD CBR
        Australia/Melbourne MEL
        Australia/Hobart HBA
        Pacific/Auckland AKL WLG CHC ZQN
        Pacific/Fiji NAN
        Pacific/Tahiti PPT
        """
}
