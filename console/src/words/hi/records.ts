// What every list and form of records says.
import type { Translation } from '../catalogue.ts';
import type { records as en } from '../en/records.ts';

export const records: Translation<typeof en> = {
  'records.name': 'नाम',
  'records.description': 'विवरण',
  'records.description.hint': 'आपके सहकर्मियों के लिए; कॉल करने वाले इसे कभी नहीं सुनते।',
  'records.create': 'बनाएँ',
  'records.created': 'बन गया।',
  'records.back': 'सूची पर वापस',
  'records.stamps': '{created} को बना, {updated} को बदला, संस्करण {version}',
  'records.unsaved': 'बदलाव सहेजे नहीं गए',
  'records.missing.title': 'नहीं मिला',
  'records.missing.text': 'हो सकता है इसे मिटा दिया गया हो, या पता ग़लत लिखा हो।',
  'records.conflict.title': 'इस बीच किसी और ने इसे बदल दिया',
  'records.conflict.text':
    'आपके बदलाव सहेजे नहीं गए, ताकि उनके बदलाव न खो जाएँ। अपने बदलाव छोड़कर नया संस्करण लोड करें; या अपने बदलाव उस पर लगाएँ, देखें और सहेजें।',
  'records.conflict.action': 'नया संस्करण लोड करें',
  'records.conflict.keep': 'मेरे बदलाव उस पर लगाएँ',
  'records.delete.title': '“{name}” को मिटाएँ?',
  'records.delete.text': 'इसे वापस नहीं लाया जा सकता।',
  'records.delete.used': '“{name}” अभी इस्तेमाल में है',
  'records.delete.usedText': '{message} जो इसकी ओर ले जाता है वह फिर कहीं नहीं पहुँचेगा।',
  'records.delete.force': 'फिर भी मिटाएँ',
  'records.once': 'इसे अभी कॉपी करें: यह केवल एक बार दिखता है, बाद में कोई इसे नहीं देख सकता।',
  'records.once.done': 'मैंने कॉपी कर लिया',
  'records.recording': 'रिकॉर्डिंग',
  'records.hear': 'सुनें',
  'records.status': 'स्थिति',
  'records.warnings': 'चेतावनियाँ',
  'records.moveUp': '{name} को ऊपर ले जाएँ',
  'records.moveDown': '{name} को नीचे ले जाएँ',
  'records.removeItem': '{name} को हटाएँ',
  'records.cut': 'यहाँ दिख रही {count} से ज़्यादा प्रविष्टियाँ हैं; बाक़ी API से लें।',
  'records.more': 'और दिखाएँ',
};
