/** What the workstations of a trade have beside the usual. */
import type { Trade } from '#adapters/demo/tenants/trades.ts';
import { type SoftwareTitle, title } from './software-title.ts';

/** Windows titles, by trade. */
export const TRADE_SOFTWARE: Readonly<Record<Trade, readonly SoftwareTitle[]>> = {
  logistics: [
    title('SAP GUI for Windows 8.00', 0.45, '8.00.12', '7.70.9'),
    title('Zebra Setup Utilities', 0.22, '1.1.9.1325', '1.1.9.1260'),
    title('NiceLabel 2019', 0.1, '19.3.0'),
    title('Descartes e-Customs', 0.15, '6.4.2'),
    title('PTV Route Optimiser', 0.06, '2025.1'),
    title('BarTender 2022', 0.05, '11.3.6'),
  ],
  manufacturing: [
    title('SOLIDWORKS 2024 SP05', 0.14, '32.50.0078'),
    title('AutoCAD LT 2025', 0.1, '31.0.51.0'),
    title('Siemens TIA Portal V18', 0.08, '18.0.5'),
    title('Mastercam 2024', 0.06, '26.0.7873'),
    title('Sage 200 Desktop', 0.18, '13.1.0'),
    title('eDrawings 2024', 0.2, '32.50.0078'),
    title('MAGMASOFT 6.0', 0.02, '6.0.2'),
  ],
  education: [
    title('Impero Connect', 0.4, '9.1.25', '8.6.14'),
    title('SMART Notebook 24', 0.28, '24.0.214'),
    title('Scratch 3.31.1', 0.25, '3.31.1'),
    title('GeoGebra Classic', 0.15, '6.0.906'),
    title('Lego Education SPIKE', 0.08, '3.4.3'),
    title('SIMS.net', 0.07, '7.216'),
    title('Exam4 Secure Client', 0.2, '25.1', '22.2'),
  ],
  healthcare: [
    title('RadiAnt DICOM Viewer (64-bit)', 0.2, '2025.1', '2023.1'),
    title('HIN Client', 0.5, '2.7.1', '2.6.4'),
    title('Philips IntelliSpace PACS Enterprise', 0.15, '4.4.553.60'),
    title('Nuance PowerMic', 0.18, '2024.1.2'),
    title('KISIM Client', 0.55, '5.9.0.4', '5.8.1.2'),
  ],
  construction: [
    title('Bluebeam Revu 21', 0.25, '21.6.0', '21.2.0'),
    title('AutoCAD LT 2025', 0.15, '31.0.51.0'),
    title('Asta Powerproject', 0.1, '17.0.02'),
    title('Sage 50 Accounts', 0.12, '32.0.123.0'),
    title('Trimble Connect', 0.08, '1.29.0'),
  ],
  dentistry: [
    title('Carestream Dental Imaging', 0.4, '7.0.25', '7.0.3'),
    title('Dentally Bridge', 0.45, '2.14.0', '2.9.1'),
    title('Romexis Client', 0.2, '6.4.6'),
    title('exocad DentalCAD', 0.05, '3.2.8900'),
  ],
  hospitality: [
    title('Oracle Hospitality OPERA Client', 0.45, '5.6.26', '5.5.0'),
    title('Saflok 6000 Encoder Service', 0.15, '6.3.1'),
    title('Guestline Rezlynx Interface', 0.2, '4.12'),
  ],
  law: [
    title('LEAP Desktop', 0.5, '3.142.0', '3.128.1'),
    title('iManage Work Desktop for Windows', 0.35, '10.9.2.14', '10.7.0.22'),
    title('BigHand Dictate', 0.25, '5.6.1'),
    title('Dragon Legal Individual', 0.08, '16.10.200'),
  ],
  utility: [
    title('SIMATIC WinCC Runtime', 0.12, '8.0.2'),
    title('ArcGIS Pro', 0.15, '3.5.3', '3.1.0'),
    title('SAP GUI for Windows 8.00', 0.5, '8.00.12', '7.70.9'),
    title('IDS HIGH-LEIT Client', 0.1, '6.2.1'),
  ],
  architecture: [
    title('ArchiCAD 28', 0.5, '28.2.0', '28.0.1'),
    title('Autodesk Revit 2025', 0.3, '25.4.20.0'),
    title('Rhino 8', 0.3, '8.23.25251.13001', '8.9.24194'),
    title('Enscape', 0.2, '4.8.0'),
    title('SketchUp Pro 2025', 0.25, '25.0.660'),
  ],
  retail: [
    title('Lightspeed Retail POS', 0.4, '3.31.2'),
    title('Verifone PAYware Connect', 0.3, '3.41.2'),
    title('DATEV Arbeitsplatz', 0.25, '18.2', '17.1'),
  ],
  brewing: [
    title('BeerSmith 3', 0.3, '3.2.7'),
    title('Xero Desktop Sync', 0.2, '1.14.0'),
    title('Square Point of Sale', 0.25, '6.74'),
  ],
};
