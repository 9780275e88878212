#Region Public

// Heat loss of a house, in kilowatts: through the envelope and with the ventilation air.
// The module came from an engineering calculator that was written with English keywords and stays so.
//
// Parameters:
//  House - Structure:
//   * Area - Number - heated floor area, square metres.
//   * CeilingHeight - Number - metres.
//   * WallResistance - Number - thermal resistance of a wall, m²·K/W.
//   * WindowShare - Number - share of windows in the wall area, 0…1.
//   * InsideTemperature - Number - degrees Celsius.
//   * OutsideTemperature - Number - of the coldest five days, degrees Celsius.
//
// Returns:
//  Number - kilowatts, rounded to one decimal.
//
Function HouseHeatLoss(House) Export
	
	Difference = House.InsideTemperature - House.OutsideTemperature;
	WallArea = 4 * Sqrt(House.Area) * House.CeilingHeight;
	
	Loss = EnvelopeLoss(WallArea * (1 - House.WindowShare), House.WallResistance, Difference)
		+ EnvelopeLoss(WallArea * House.WindowShare, WindowResistance(), Difference)
		+ EnvelopeLoss(House.Area, House.WallResistance * 1.3, Difference)
		+ VentilationLoss(House.Area * House.CeilingHeight, Difference);
	
	Return Round(Loss / 1000, 1);
	
EndFunction

// Boiler power with a reserve: 20 % for heating only, 50 % when the boiler heats tap water too.
//
Function RequiredBoilerPower(HeatLoss, HeatsWater) Export
	
	Return Round(HeatLoss * ?(HeatsWater, 1.5, 1.2), 0);
	
EndFunction

// Coefficient of performance of an air heat pump: falls by 0.05 with every degree of frost.
//
// Parameters:
//  OutsideTemperature - Number - degrees Celsius.
//
// Returns:
//  Number - never below 1: at that point the pump is an electric heater.
//
Function HeatPumpCoefficient(OutsideTemperature) Export
	
	If OutsideTemperature >= 7 Then
		Return 4.2;
	EndIf;
	
	Return Max(1, 4.2 - 0.05 * (7 - OutsideTemperature) - ?(OutsideTemperature < -15, 0.6, 0));
	
EndFunction

// Flow temperature by the heating curve: the colder outside, the hotter the radiators.
//
Function FlowTemperature(OutsideTemperature, CurveSlope = 1.4, UnderfloorHeating = False) Export
	
	Temperature = 20 + CurveSlope * (20 - OutsideTemperature);
	// Above 45 degrees a screed floor cracks and is unpleasant to stand on.
	Limit = ?(UnderfloorHeating, 45, 80);
	
	Return Min(Limit, Round(Temperature, 0));
	
EndFunction

#EndRegion

#Region Private

Function EnvelopeLoss(Area, Resistance, Difference)
	
	If Resistance <= 0 Then
		Raise NStr("ru = 'Сопротивление теплопередаче должно быть больше нуля.'; en = 'Thermal resistance must be positive.'");
	EndIf;
	
	Return Area * Difference / Resistance;
	
EndFunction

Function VentilationLoss(Volume, Difference)
	
	// 0.34 W·h/(m³·K) is the heat capacity of air; half of the air is replaced every hour.
	Return 0.34 * 0.5 * Volume * Difference;
	
EndFunction

Function WindowResistance()
	Return 0.65;
EndFunction

#EndRegion
